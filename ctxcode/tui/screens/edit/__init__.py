"""Looking at proposed and applied edits, and deciding on them."""
