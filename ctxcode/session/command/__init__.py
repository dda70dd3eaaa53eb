"""Commands the model or the user wants run: what is asked first, what is remembered, what is answered.

Knows no process and no screen. Entry points: ``desk.CommandDesk`` for a tool call, ``turn.SessionCommands`` for
``!command``.
"""
