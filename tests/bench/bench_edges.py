"""Prints precision and recall of the resolved Python call edges against jedi, in all and by tier.

Run: ``python tests/bench/bench_edges.py FOLDER --jedi PYTHON [--truth FILE] [--files N] [--under PART] [--wrong N]
[--missed N]``. PYTHON is an interpreter with jedi installed; FILE keeps its answers, which take minutes.

A call site is a called name or a decorator; what a symbol calls alike a second time is not judged again. An edge is
right when jedi names its target. Where jedi knows nothing, or leads to a name and no definition, edges are counted
apart as *unjudged*. A call jedi leads into the folder is recalled when one of the edges drawn for it is right. Several
candidates of one call are several edges. A call whose name the symbol around it never calls by the facts is missed.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.call_edges import Tally, add_arguments, add_choice, answers, chosen_paths, compare, facts_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    add_choice(parser)
    parser.add_argument("--jedi", default=sys.executable)
    arguments = parser.parse_args()
    root = Path(arguments.folder).resolve()
    facts = facts_of(root, {"python"})
    command = [arguments.jedi, str(Path(__file__).with_name("jedi_calls.py")), str(root)]
    expected = answers(command, arguments.truth, asked="\n".join(chosen_paths(facts, arguments)))
    compare(root, facts, expected, Tally("jedi"), arguments, by_receiver=False)


if __name__ == "__main__":
    main()
