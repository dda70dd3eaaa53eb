"""Stage 2: candidates, pins and history become a ContextPlan and its payload.

Owns budgets, modes, detail levels and the reasons for every decision. Pure: no I/O, no clock. Entry point:
``planner.plan``.
"""
