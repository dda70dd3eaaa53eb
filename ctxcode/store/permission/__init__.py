"""What the user allowed for a repository, on disk. Entry point: ``file.PermissionFile``."""
