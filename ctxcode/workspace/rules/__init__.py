"""What ignore files say, where there is no git to ask, and where git finds those that stand in no repository.

Entry points: ``ignore_file.Rules``, ``configuration.user_rules``.
"""
