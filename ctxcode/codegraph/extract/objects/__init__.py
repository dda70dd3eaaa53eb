"""Methods and values of objects that are named without being called."""
