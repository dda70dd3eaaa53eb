"""What is asked of and said to the terminal itself, beside what is drawn: its background, its title, its bell."""
