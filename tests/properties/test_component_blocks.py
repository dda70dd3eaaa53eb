"""Whatever a component's file holds, its script stands where it did, and nothing else is left of it."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.languages import language_of
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.syntax.components.blocks import SUFFIXES, taken_apart

PIECES = (
    "<script>", "</script>", '<script setup lang="ts">', "<script src='./a.js' />", "<SCRIPT lang=tsx>", "</style >",
    "<template>", "<template #a>", "</template>", "<template lang='pug'/>", "<style scoped>", "</style>", "<script a='",
    "---\n", "\r\n", "\n", "é", "const a = b(<C x={y} />)", "export default {}", "import A from './A.vue'",
    "{{ a(b) }}", '<A @click="b" />', "<a-b :c='d(e)'>", "{#if x(y)}", '"', "'", ">", "{", "}", "<!--", "-->",
)  # fmt: skip


@pytest.mark.parametrize("suffix", SUFFIXES)
@examples(200)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=25))
def test_the_script_of_a_component_keeps_its_place(suffix: str, pieces: list[str]) -> None:
    source = "".join(pieces).encode()
    component = taken_apart(source, f"a/Part{suffix}")
    assert len(component.script) == len(source)
    assert component.script.count(b"\n") == source.count(b"\n")
    assert all(left in (kept, 32) for left, kept in zip(component.script, source, strict=True))
    assert all(0 <= start <= end <= len(source) for start, end in component.markup)
    facts = parse_source(source, language_of(f"Part{suffix}") or "", f"a/Part{suffix}")
    assert all(1 <= symbol.start_line <= symbol.header_line <= symbol.end_line for symbol in facts.symbols)
