"""What a name can mean when nothing but the name is known.

Entry points: ``alone.NamesAlone``, ``candidates``; ``fixtures.Fixtures`` for parameters of tests.
"""
