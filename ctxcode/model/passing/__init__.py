"""What goes on while a session runs and is not kept. Entry point: ``event.PassingEvent``."""
