"""Capsules at work: named by the user, written by them or a model, kept, and told in plans. See ``capsules.py``."""
