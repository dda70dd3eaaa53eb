"""The turn that is going on as its next request shows it: tool calls with their results, and how much of them.

Knows no model and runs no tool. Entry points: ``atom.tool_atoms`` and ``window.windowed``.
"""
