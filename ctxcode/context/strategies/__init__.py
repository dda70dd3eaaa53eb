"""How the conversation so far is offered to the planner, one strategy a module."""
