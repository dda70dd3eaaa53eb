"""What files of Go say. Entry point: ``extraction.extract``."""
