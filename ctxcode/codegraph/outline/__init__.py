"""Outlines of files that are no programs: headings of Markdown, keys of TOML, YAML and JSON, statements of SQL.

Reads text line by line or token by token, in linear time and without a grammar. Entry point: ``reading.outline``.
"""
