"""Prints precision and recall of the resolved call edges of TypeScript and JavaScript against TypeScript's checker.

Run: ``python tests/bench/bench_edges_ecmascript.py FOLDER --typescript INSTALLED [--truth FILE] [--files N]
[--under PART] [--wrong N] [--missed N]``. INSTALLED is a folder in which ``npm i typescript`` was run; FILE keeps the
checker's answers. Needs ``node``.

A call site is a called or constructed name, a decorator, a tag or a component; what a symbol calls alike a second time
is not judged again. An edge is right when the checker leads to its target: the definition's name, its overloads, what
else it goes by on the way there. Where the checker knows nothing, or leads to a type's property and no function, edges
are counted apart as *unjudged*. A call the checker leads to a definition in the folder is recalled when one of the
edges drawn for it is right. Several candidates of one call are several edges.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.call_edges import Tally, add_arguments, add_choice, answers, chosen_paths, compare, facts_of

LANGUAGES = {"javascript", "typescript", "tsx"}
_NODE = ("node", "--max-old-space-size=6000", "--stack-size=4000")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    add_choice(parser)
    parser.add_argument("--typescript", type=Path, required=True)
    arguments = parser.parse_args()
    root = Path(arguments.folder).resolve()
    facts = facts_of(root, LANGUAGES)
    script = Path(__file__).with_name("typescript_calls.mjs")
    command = [*_NODE, str(script), str(arguments.typescript), str(root)]
    expected = answers(command, arguments.truth, asked="\n".join(chosen_paths(facts, arguments)))
    compare(root, facts, expected, Tally("TypeScript"), arguments, by_receiver=True)


if __name__ == "__main__":
    main()
