"""What only Ruby does when names are joined."""
