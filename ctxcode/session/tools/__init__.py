"""The tools at work: what a model's checked calls return, through the session's ports.

Owns limits, wording and the memory of a turn's answers; knows no model and no screen. Entry point:
``runner.ToolRunner``.
"""
