"""What the made-up repository of the screen tests holds."""

from ctxcode.model.plan import ReasonType
from ctxcode.model.symbol import SymbolKind

QUERY = "django/db/models/sql/query.py"
JOINS = "django/db/models/sql/datastructures.py"
COMPILER = "django/db/models/sql/compiler.py"
WHERE = "django/db/models/sql/where.py"

TOUCHPOINTS = (
    ("Query.setup_joins", QUERY, 1762, 1883, 0.93, (("calls", "Query.join"), ("lexical", "join"))),
    ("Query.promote_joins", QUERY, 1131, 1170, 0.88, (("lexical", "join", "outer"), ("called-by", "JoinPromoter"))),
    ("Query.demote_joins", QUERY, 1172, 1193, 0.81, (("called-by", "JoinPromoter.update_join_types"),)),
    ("Join", JOINS, 24, 158, 0.78, (("lexical", "join"),)),
    ("Join.as_sql", JOINS, 75, 120, 0.64, (("lexical", "join", "outer"), ("contained-in", "Join"))),
    ("Join.demote", JOINS, 146, 150, 0.52, (("semantic",), ("contained-in", "Join"))),
    ("SQLCompiler.get_from_clause", COMPILER, 1135, 1172, 0.49, (("called-by", "SQLCompiler.as_sql"),)),
    ("Query.build_filter", QUERY, 1438, 1592, 0.44, (("calls", "Query.setup_joins"),)),
    ("WhereNode.split_having_qualify", WHERE, 44, 106, 0.31, (("semantic",),)),
)
SIGNATURES = (
    ("Query.can_filter", QUERY, 2041), ("Query.trim_joins", QUERY, 1886), ("Query.names_to_path", QUERY, 1651),
    ("Query.reuse_all", QUERY, 1011), ("Query.table_alias", QUERY, 922), ("BaseTable.as_sql", JOINS, 186),
    ("MultiJoin", JOINS, 8), ("SQLCompiler.compile", COMPILER, 560), ("SQLCompiler.as_sql", COMPILER, 742),
    ("WhereNode.as_sql", WHERE, 116), ("NothingNode", WHERE, 290), ("SubqueryConstraint", WHERE, 330),
)  # fmt: skip
LEFT_OUT = (
    ("Query.resolve_ref", QUERY, 2015, ReasonType.BUDGET), ("Query.solve_lookup_type", QUERY, 1360, ReasonType.BUDGET),
    ("SQLCompiler.get_default_columns", COMPILER, 1040, ReasonType.BUDGET),
    ("SQLCompiler.find_ordering_name", COMPILER, 1090, ReasonType.BUDGET),
    ("Join.table_name", JOINS, 60, ReasonType.DUPLICATE), ("Join.equals", JOINS, 152, ReasonType.DUPLICATE),
    ("Query.clone", QUERY, 340, ReasonType.BELOW_THRESHOLD), ("Query.chain", QUERY, 380, ReasonType.BELOW_THRESHOLD),
    ("QueriesTests.test_joins", "tests/queries/tests.py", 91, ReasonType.OUT_OF_SCOPE),
)  # fmt: skip
TREE = """\
django/db/models/
  sql/query.py        Query, JoinPromoter, RawQuery
  sql/compiler.py     SQLCompiler
  sql/datastructures.py  Join, BaseTable
  expressions.py      F, Subquery, OuterRef
"""
CENTRAL = (
    ("Query", QUERY, 226, SymbolKind.CLASS), ("QuerySet", "django/db/models/query.py", 275, SymbolKind.CLASS),
    ("JoinPromoter.update_join_types", QUERY, 2751, SymbolKind.METHOD), ("Join.as_sql", JOINS, 75, SymbolKind.METHOD),
    ("Join", JOINS, 24, SymbolKind.CLASS), ("Query.join", QUERY, 1019, SymbolKind.METHOD),
)  # fmt: skip
