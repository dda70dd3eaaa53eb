"""What a published graph tells of the files that nobody joins again, looked up name by name.

Entry point: ``joined.JoinedFiles``.
"""
