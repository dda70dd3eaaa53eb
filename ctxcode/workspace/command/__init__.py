"""Running commands on the user's machine: reading them, confining them, ending all that they started.

Owns processes and the sandbox; knows no policy and asks nobody. Entry point: ``shell.LocalShell``.
"""
