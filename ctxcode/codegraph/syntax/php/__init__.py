"""What is read of PHP beyond its query: types, written and documented, expressions, and what tests say of variables.

Entry points: the functions ``matched.php`` puts together. Must not know how matches become findings.
"""
