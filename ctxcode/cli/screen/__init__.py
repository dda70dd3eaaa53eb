"""The full-screen app as the command starts it; entry point ``ctxcode.cli.screen.app.open_app``."""
