"""Prints precision and recall of the resolved call edges of Go and Java against go/types and javac, by tier.

Run: ``python tests/bench/bench_typed_edges.py FOLDER go|java [--classpath JARS] [--truth FILE]
[--overloads-as-one] [--wrong N] [--missed N]``.
Needs ``go`` (1.19 or later) or ``java`` (17 or later); FILE keeps their answers. ``GOPATH`` and JARS are where packages
from outside are looked for; what is not found stays open, and calls into it are *unjudged*.

The words are those of ``bench_edges.py``. A call site is a called name, in Go a type's literal and a conversion too, in
Java a method reference. Making an object is a call of the constructor or of its class: an edge to either is right.
Of overloads one is right, the one the call means, but with ``--overloads-as-one``. What a Go package defines once for
each system is one definition. A method of an interface is called where the receiver is one; no
edge to what implements it is right then. A call through a field, parameter or local variable leads to no definition.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.call_edges import Place, SiteKey, Tally, Truth, add_arguments, answers, compare, facts_of

from ctxcode.codegraph.facts import FileFacts

_HERE = Path(__file__).parent
_EXPORTS = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{part}=ALL-UNNAMED" for part in ("code", "tree")]


def go_answers(root: Path, kept: Path | None) -> Truth:
    """Return where go/types leads each call."""
    os.environ.update(GO111MODULE="off", CGO_ENABLED="0")
    return answers(["go", "run", str(_HERE / "go_calls.go"), str(root)], kept)


def java_answers(root: Path, kept: Path | None, classpath: str) -> Truth:
    """Return where javac leads each call."""
    command = ["java", *_EXPORTS, str(_HERE / "JavaCalls.java"), str(root)]
    return answers(command, kept, behind=[classpath] if classpath else [])


def alike(facts: dict[str, FileFacts], *, as_one: bool) -> dict[Place, set[Place]]:
    """Return what is as right as each definition.

    In Go what other files of a package define for other systems; in Java the class of a constructor, and with
    ``as_one`` all overloads.
    """
    found: dict[Place, set[Place]] = {}
    variants: dict[tuple[str, str, str], set[Place]] = {}
    for path, each in facts.items():
        overloads: dict[str, set[Place]] = {}
        for symbol in each.symbols[1:]:
            place = (path, symbol.header_line)
            parent = each.symbols[symbol.parent]
            if each.language == "go":
                variants.setdefault((path.rpartition("/")[0], each.package, symbol.qualname), set()).add(place)
            elif symbol.kind == "method" and symbol.name == parent.name:
                found[place] = {place, (path, parent.header_line)}
            elif symbol.kind == "method" and as_one:
                overloads.setdefault(symbol.qualname, set()).add(place)
        found.update({place: places for places in overloads.values() for place in places if len(places) > 1})
    # Two of one file are no variants: methods named alike of types inside functions.
    one_each = [places for places in variants.values() if len({path for path, _ in places}) == len(places) > 1]
    return found | {place: places for places in one_each for place in places}


def judged(facts: dict[str, FileFacts], expected: Truth, right: dict[Place, set[Place]]) -> Truth:
    """Return the answers with all that is right; what stands in files too large to be parsed is outside."""
    found: dict[SiteKey, set[Place] | str] = {}
    for key, places in expected.items():
        inside = [place for place in places if place[0] in facts] if isinstance(places, set) else []
        if isinstance(places, str) or not inside:
            found[key] = places if isinstance(places, str) else "external"
        else:
            found[key] = set(inside).union(*[right.get(place, set()) for place in inside])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("language", choices=("go", "java"))
    parser.add_argument("--classpath", default="")
    parser.add_argument("--overloads-as-one", action="store_true")
    arguments = parser.parse_args()
    root, language = Path(arguments.folder).resolve(), arguments.language
    facts = facts_of(root, {language, "gomod"})
    if language == "go":
        expected, judge = go_answers(root, arguments.truth), "go/types"
    else:
        expected, judge = java_answers(root, arguments.truth, arguments.classpath), "javac"
    expected = judged(facts, expected, alike(facts, as_one=arguments.overloads_as_one))
    compare(root, facts, expected, Tally(judge), arguments, by_receiver=False)


if __name__ == "__main__":
    main()
