"""What a screen shows of a session, without a screen. Entry points: ``view.ScreenState``, ``fold.apply``."""
