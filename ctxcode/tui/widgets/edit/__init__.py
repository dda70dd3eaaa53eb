"""The diff the user decides on."""
