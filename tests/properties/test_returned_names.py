"""What a function returns by a name of its own: who calls it is joined again when that name means something else."""

from collections.abc import Mapping
from functools import cache

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, facts_from, is_updated

from ctxcode.codegraph.facts import FileFacts

GIVEN_BY_PYTHON = (
    "made = X()\n    return made",
    "made = X()\n    other = made\n    return other",
    "made = X()\n    def inner():\n        return made\n    return inner()",
    "def inner():\n        made = X()\n        return made\n    return inner()",
    "class Made(X):\n        pass\n    return Made()",
    "made = X\n    return made()",
    "made = X()\n    return made.swap()",
    "made = make(1)\n    return made",
    "made = Held(1)\n    return made.held",
    "made: X = p\n    return made",
    "with X() as made:\n        return made",
    "return p",
    "made = X()\n    return made, Y()",
    "return X(), X()",
    "if p:\n        return X(), X()\n    return Y(), X()",
    "made, other = make(1)\n    return other, made",
    "made = []\n    made.append(X())\n    return made[0]",
    "made = [X(), Y()]\n    return made.pop()",
    "for made in (X(), p):\n        return made",
    "yield X()",
)
OF_PYTHON = {
    "m.py": (
        "class X:\n    def pay(self): ...\n    def swap(self):\n        made = X()\n        return made\n"
        "class Y(X):\n    def pay(self): ...\n    def swap(self):\n        return self\n"
    ),
    "a.py": (
        "from m import X, Y\ndef make(p: X):\n    GIVEN\ndef get(p):\n    made = make(p)\n    return made\n"
        "class Held:\n    def __init__(self, p: X):\n        made = X()\n        self.held = made\n"
        "    def last(self):\n        made = get(1)\n        return made\n"
        "    def two(self):\n        made = X()\n        def inner():\n            return made, X()\n"
        "        return inner()\n"
        "def three() -> tuple[X, int, Y]: ...\n"
    ),
    "b.py": (
        "from a import make, get, Held, three\n"
        "make(1).pay(); get(1).swap().pay(); Held(1).held.pay(); Held(1).last().pay()\n"
        "one, two = make(1)\none.pay(); two.swap().pay()\n"
        "def both():\n    one, two = get(1)\n    one.pay()\n    two.pay()\n    one, two = Held(1).two()\n"
        "    one.swap()\n    two.swap()\n    one, _, two = three()\n    one.pay(); two.swap()\n"
    ),
    "c.py": (
        "from a import make as g, Held as H\nkept = g(1)\n"
        "def again():\n    made = g(2)\n    return made\nclass Sub(H): ...\n"
    ),
    "d.py": "import c\nfrom c import again\nc.kept.pay(); again().pay(); c.Sub(1).held.pay(); c.again().swap().pay()\n",
}
GIVEN_BY_TYPESCRIPT = (
    "const made = new X(); return made;",
    "const made = new X(); let other = made; return other;",
    "const made = new X(); return () => made;",
    "const made = new X(); function inner() { return made; } return inner();",
    "const made = new X(); return { made, get() { return made; } };",
    "class Made extends X {} return new Made();",
    "let made; made = new X(); return made;",
    "const made = make(1); return made.swap();",
    "const { held } = new Held(1); return held;",
    "const made: X = p; return made;",
    "return p;",
)
OF_TYPESCRIPT = {
    "m.ts": (
        "export class X { pay() {} swap() { const made = new X(); return made; } }\n"
        "export class Y extends X { pay() {} swap() { return this; } }\n"
    ),
    "a.ts": (
        "import { X, Y } from './m';\nexport function make(p: X) { GIVEN }\n"
        "export const get = (p) => { const made = make(p); return made; };\n"
        "export class Held { held;\n  constructor(p: X) { const made = new X(); this.held = made; }\n"
        "  last() { const made = get(1); return made; }\n  run(back) { const made = new X(); back(made); }\n}\n"
        "export class Told { constructor(back) { const made = new X(); back(made); } }\n"
    ),
    "b.ts": (
        "import { make, get, Held, Told } from './a';\nclass Sub extends Told {}\n"
        "function run() { make(1).pay(); make(1).made.pay(); make(1).get().pay(); make(1)().pay(); }\n"
        "function all() { get(1).swap().pay(); new Held(1).run((one) => one.pay()); new Sub((one) => one.pay()); }\n"
        "function last() { new Held(1).last().pay(); }\n"
    ),
    "c.ts": (
        "import { make as g, Held as H } from './a';\nexport const kept = g(1);\n"
        "export function again() { const made = g(2); return made; }\nexport class Sub extends H {}\n"
    ),
    "d.ts": (
        "import * as c from './c';\nimport { again } from './c';\n"
        "function run() { c.kept.pay(); again().pay(); new c.Sub(1).held.pay(); c.again().swap().pay(); }\n"
    ),
}


@cache
def facts_in(path: str, source: str) -> FileFacts:
    return facts_from(path, source)


def read(files: Mapping[str, str]) -> dict[str, FileFacts]:
    return {path: facts_in(path, source) for path, source in files.items()}


def exchanged_at(source: str, places: frozenset[int]) -> str:
    """Return a source in which some of the places where it says one class say the other."""
    parts = source.split("X")
    names = ["Y" if place in places else "X" for place in range(len(parts) - 1)]
    return "".join(part + name for part, name in zip(parts, [*names, ""], strict=True))


@pytest.mark.parametrize(("files", "bodies"), [(OF_PYTHON, GIVEN_BY_PYTHON), (OF_TYPESCRIPT, GIVEN_BY_TYPESCRIPT)])
@examples(60)
@given(st.data())
def test_who_gets_what_a_function_returns_follows_what_its_own_names_mean(
    files: Mapping[str, str], bodies: tuple[str, ...], data: st.DataObject
) -> None:
    body = data.draw(st.sampled_from(bodies))
    before = {path: source.replace("GIVEN", body) for path, source in files.items()}
    changed = data.draw(st.sampled_from(["a", "a", "a", "c", "m"]))
    path = next(path for path in files if path.startswith(changed))
    text = (
        before[path] if data.draw(st.booleans()) else files[path].replace("GIVEN", data.draw(st.sampled_from(bodies)))
    )
    places = data.draw(st.frozensets(st.integers(0, text.count("X")), max_size=3))
    read_before, now = read(before), read({**before, path: exchanged_at(text, places)})
    assert_as_anew(read_before, now)


@pytest.mark.parametrize(("files", "bodies"), [(OF_PYTHON, GIVEN_BY_PYTHON), (OF_TYPESCRIPT, GIVEN_BY_TYPESCRIPT)])
def test_few_files_are_joined_when_such_a_name_means_something_else(
    files: Mapping[str, str], bodies: tuple[str, ...]
) -> None:
    path = next(path for path in files if path.startswith("a"))
    before = {each: source.replace("GIVEN", bodies[1]) for each, source in files.items()}
    now = {**before, path: files[path].replace("GIVEN", bodies[1].replace("X", "Y"))}
    assert is_updated(read(before), read(now))
