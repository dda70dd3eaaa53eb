"""The full-screen app. Owns screens, widgets, themes and wording; its one door to the rest is ``ctxcode.session``."""
