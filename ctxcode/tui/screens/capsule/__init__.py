"""Capsules on screen: their commands, their words, and the dialog that lists them."""
