"""A graph of components of one file each brought in step with what has changed equals that of all files joined anew."""

from collections.abc import Mapping

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import is_updated, read

SCRIPTS = (
    "",
    "import Card from './Card.vue'\nimport { show } from '@/lib/show'\nfunction open() { show() }",
    "import Card from '@/parts/Card'\nimport Row from '@/parts/Row.svelte'\nconst open = () => shut()",
    "import { Card } from './parts'\nimport { show } from '$lib/show'\nlet row = show()",
    "import App from '~/App.vue'\nexport function shut() { open() }",
    "import { log } from './log'\nexport default { methods: { open() { this.shut() }, shut() { log() } } }",
    "import Other from './Row.svelte'\nexport default Other",
)
MARKUP = (
    "",
    '<Card @click="open" /><Row on:click={open} />',
    '<p>{{ show(row) }}</p><row :x="shut()" /><App />',
    "<Card>{show(row)}</Card>{#if open()}<Other />{/if}",
)
MODULES = (
    "export function show() {}\nexport function log() { show() }",
    "export { default as Card } from './Card.vue'",
    "export * from './parts/Row.svelte'\nexport default function show() {}",
)
COMPONENTS = ("src/App.vue", "src/parts/Card.vue", "src/parts/Row.svelte", "web/src/App.vue", "web/src/Row.svelte")
OTHERS = ("src/lib/show.ts", "src/parts/index.ts", "src/parts/log.js", "web/src/lib/show.ts", "app/lib/show.ts")


def component(script: str, markup: str) -> str:
    return f"<script>\n{script}\n</script>\n\n<template>\n{markup}\n</template>\n"


def trees() -> st.SearchStrategy[Mapping[str, str]]:
    """Return the sources of some files of which not all are there."""
    components = st.builds(component, st.sampled_from(SCRIPTS), st.sampled_from(MARKUP))
    modules = st.sampled_from(MODULES)
    some = {**dict.fromkeys(COMPONENTS[2:], components), **dict.fromkeys(OTHERS, modules)}
    return st.fixed_dictionaries(dict.fromkeys(COMPONENTS[:2], components), optional=some)


def test_components_that_change_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        tree, other = data.draw(trees()), data.draw(trees())
        gone = data.draw(st.sets(st.sampled_from(sorted(tree)), max_size=1))
        come = data.draw(st.sampled_from(sorted(other)))
        kept = {path: source for path, source in tree.items() if path not in gone}
        before, after = read(tree), read({**kept, come: other[come]})
        joined.append(is_updated(before, after))

    check()
    assert sum(joined) * 5 > len(joined)
