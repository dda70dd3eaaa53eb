"""Shell scripts: functions of whatever was sourced before, and patterns the grammar does not know."""

from resolved_edges import edges_between, facts_of
from updated_graph import facts_from, update

from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.resolve.graph import build_graph

FILES = {
    "lib.sh": "_parse_help() { :; }\nlog_it() { :; }\ninstall() { :; }\n",
    "a.sh": "go() { _parse_help x; log_it; install -m 755 x; }\n",
    "b.sh": "log_it() { :; }\ngo() { log_it; }\n",
}


def test_a_function_of_no_file_that_is_sourced_here_is_found_by_its_name_if_that_is_no_programs() -> None:
    assert {
        ("a.sh::go", "lib.sh::_parse_help", "unique-name 0.6"),
        ("a.sh::go", "lib.sh::log_it", "ambiguous 0.25"),
        ("a.sh::go", "b.sh::log_it", "ambiguous 0.25"),
        ("b.sh::go", "b.sh::log_it", "scope 1"),
    } == edges_between(FILES)


def test_a_function_more_or_less_is_joined_with_who_calls_it() -> None:
    before = {path: skeleton(facts) for path, facts in facts_of(FILES).items()}
    for now in ("log_it() { :; }\n", FILES["lib.sh"] + "go_on() { log_it; }\n"):
        after = before | {"lib.sh": facts_from("lib.sh", now)}
        assert build_graph(after) == update(before, after)


def test_patterns_the_grammar_does_not_know_cost_no_function_behind_them() -> None:
    source = r"""
first() {
    while [[ $line =~ \
        ((^|[^-])-[A-Za-z0-9?][[:space:]]+)\[? ]]; do
        [[ $x =~ (\$\{[#!]?)([A-Za-z0-9_]*)\[([^]]*)$ ]] && second
    done
    local a=${option%%[<{().[]*} b=(/etc/!(*.bak|x) --!(no-*)dir*)
    third
}
second() { :; }
third() { second; }
"""
    facts = facts_of({"a.sh": source})["a.sh"]
    assert 0 == facts.parse_errors
    assert {
        ("a.sh::first", "a.sh::second", "scope 1"),
        ("a.sh::first", "a.sh::third", "scope 1"),
        ("a.sh::third", "a.sh::second", "scope 1"),
    } == edges_between({"a.sh": source})


def test_names_with_signs_are_called() -> None:
    files = {"a.sh": "log::info() { :; }\nshop-start() { log::info; }\nstop() { shop-start; }\nstop\n"}
    assert {
        ("a.sh::shop-start", "a.sh::log:info", "scope 1"),
        ("a.sh::stop", "a.sh::shop-start", "scope 1"),
        ("a.sh", "a.sh::stop", "scope 1"),
    } == edges_between(files)


def test_what_the_grammar_can_not_read_costs_the_functions_around_it_neither_their_ends_nor_their_calls() -> None:
    before = 'if (( ${+commands[git]} )); then\n  () { local a } "$@"\nfi\n'
    files = {
        "a.zsh": before + "first() {\n  print ${(q)${(M)1:#a*}}\n  if second; then\n    :\n  fi\n}\n"
        "second() (\n  cat <<E\nthird() {\n}\nE\n)\n(( $+functions[third] )) || third() {\n"
        "  first && second\n}\nthird\n"
    }
    facts = facts_of(files)["a.zsh"]
    assert facts.parse_errors
    assert [("first", 4, 9), ("second", 10, 15), ("third", 16, 18)] == [
        (one.name, one.start_line, one.end_line) for one in facts.symbols[1:]
    ]
    assert {
        ("a.zsh::first", "a.zsh::second", "scope 1"),
        ("a.zsh::third", "a.zsh::first", "scope 1"),
        ("a.zsh::third", "a.zsh::second", "scope 1"),
        ("a.zsh", "a.zsh::third", "scope 1"),
    } == edges_between(files)


def test_what_a_shell_asks_for_completions_and_hooks_is_called() -> None:
    source = """
    _tar() { :; }
    _all() { complete -o nospace -F _tar tar; }
    _zip() { :; }
    hook() { :; }
    complete -F _zip -o default zip unzip
    complete -W "_all" _all
    compdef _all all
    add-zsh-hook precmd hook
    precmd() { :; }
    add-zsh-hook -d precmd hook
    """
    assert {
        ("a.sh::_all", "a.sh::_tar", "scope 1"),
        ("a.sh", "a.sh::_zip", "scope 1"),
        ("a.sh", "a.sh::_all", "scope 1"),
        ("a.sh", "a.sh::hook", "scope 1"),
    } == edges_between({"a.sh": source})


def test_a_name_in_quotes_is_called_where_a_command_stands() -> None:
    source = """
    run() { :; }
    quoted() { "run" a; }
    tested() { if "run"; then :; fi; }
    others() { "run$x"; "${run}"; "$run"; "run it"; echo "run"; "x run"; }
    """
    assert {("a.sh::quoted", "a.sh::run", "scope 1"), ("a.sh::tested", "a.sh::run", "scope 1")} == edges_between(
        {"a.sh": source}
    )
