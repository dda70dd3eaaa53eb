"""The user's files and git, read without running anything the repository contains."""
