"""The command line: arguments, settings, bootstrap, run. The only package that prints and exits.

Entry point: ``main.main``.
"""
