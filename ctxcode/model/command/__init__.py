"""Commands on the user's machine: what was read of one, what the user is asked, what came of it."""
