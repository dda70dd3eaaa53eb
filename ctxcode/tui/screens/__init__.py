"""Screens: the only widgets that talk to the session."""
