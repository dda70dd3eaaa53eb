"""One turn of a session: requests, replies, tool calls, and the record of it all. Entry point: ``run.TurnRunner``."""
