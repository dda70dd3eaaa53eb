"""What ignore files say, where there is no git to ask. Entry point: ``ignore_file.Rules``."""
