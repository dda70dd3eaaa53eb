"""Changing files of the opened folder: all of a set or none, without leaving the folder or touching git's own.

Owns the bytes that were there before, so that they can come back. Entry point: ``editor.FolderEditor``.
"""
