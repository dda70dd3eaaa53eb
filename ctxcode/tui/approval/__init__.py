"""The question whether a command may run, in the prompt's place: ``words`` puts it, ``dialog`` asks it."""
