"""The terminal and its user: background, keyboard, themes; what is known of both before the app starts."""
