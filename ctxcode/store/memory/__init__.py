"""Databases where nothing can be written. Entry point: ``copy.MemoryCopy``."""
