"""What came of turns: the user's marks on replies, and what sessions add up to."""
