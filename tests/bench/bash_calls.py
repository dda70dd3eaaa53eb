"""Writes the calls that a Bash script makes in a folder, as rows that bench_traced_edges.py reads.

Run: ``python bash_calls.py FOLDER OUTPUT SCRIPT ARGUMENT …``. A row is [path, line, name, whether it is defined in the
folder, right places]. Seen are functions, by the first command that runs in them; what a script traces itself is lost.

Of bash-completion, whose files have no ending, one is given to each (``.bash``), and the first 120 or so completions
are called.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

_TRACE = """
set -o functrace
exec {CALLS_FD}>>"$CALLS_FILE"
declare -A calls_seen
trap 'if ((${#FUNCNAME[@]})); then calls_key="${BASH_SOURCE[1]} ${BASH_LINENO[0]} ${FUNCNAME[0]} ${BASH_SOURCE[0]}"
if [[ -z ${calls_seen[$calls_key]-} ]]; then calls_seen[$calls_key]=1
printf "%s\\t%s\\t%s\\t%s\\t%s\\n" "${BASH_SOURCE[1]}" "${BASH_LINENO[0]}" "${FUNCNAME[0]}" "${BASH_SOURCE[0]}" \\
"$LINENO" >&$CALLS_FD; fi; fi' DEBUG
"""
_FIELDS = 5


def main() -> None:
    root, output, script = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3]
    with TemporaryDirectory() as folder:
        trace, calls = Path(folder, "trace.sh"), Path(folder, "calls.txt")
        trace.write_text(_TRACE)
        environment = {**os.environ, "BASH_ENV": str(trace), "CALLS_FILE": str(calls)}
        subprocess.run(["bash", script, *sys.argv[4:]], env=environment, check=False)
        written = calls.read_text("utf-8", "replace").split("\n")
    rows: dict[tuple[str, int, str], list[object]] = {}
    for row in written:
        fields = row.split("\t")
        if len(fields) != _FIELDS or not (fields[1].isdecimal() and fields[4].isdecimal()):
            continue
        source, line, name, defined, at = fields
        caller, callee = (os.path.relpath(os.path.realpath(path), root) for path in (source, defined))
        if not caller.startswith("..") and source:
            is_inside = not callee.startswith("..")
            places = [[callee, int(at)]] if is_inside else []
            rows.setdefault((caller, int(line), name), [caller, int(line), name, is_inside, places])
    output.write_text(json.dumps(list(rows.values())))


if __name__ == "__main__":
    main()
