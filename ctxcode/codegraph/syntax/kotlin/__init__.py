"""What is Kotlin's alone: what values are, and type parameters.

Entry points: `values.expression`, `values.bind_many`, `generics.bind_parameters`.

Knows nodes and pages; must not know what the graph makes of them.
"""
