"""Stage 4: what the user, the tools and the repository then said becomes an outcome. Pure."""
