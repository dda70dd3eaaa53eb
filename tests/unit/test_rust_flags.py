"""Sets of flags that ``bitflags!`` makes of what no grammar of Rust reads."""

import pytest

from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.syntax.rust.flags import with_enums

SOURCE = """bitflags! {
    /// What may be done; `const` is a word.
    pub struct Access: u32 {
        /// To read.
        const READ = 1 << 0;
        const BRACE = b'}';
    }

    struct Hidden: crate::Bits { const BOTH = Self::ONE.bits() | 2; }
}
enum Kind { First }
"""


def test_a_set_of_flags_is_a_struct_with_constants() -> None:
    facts = parse_source(SOURCE.encode(), "rust", "src/lib.rs")
    assert (
        [
            ("struct", "Access", "pub struct Access: u32", "What may be done; `const` is a word."),
            ("constant", "Access.READ", "const READ = 1 << 0", "To read."),
            ("constant", "Access.BRACE", "const BRACE = b'}'", ""),
            ("struct", "Hidden", "struct Hidden: crate::Bits", ""),
            ("constant", "Hidden.BOTH", "const BOTH = Self::ONE.bits() | 2", ""),
            ("enum", "Kind", "enum Kind", ""),
            ("variant", "Kind.First", "First", ""),
        ],
        0,
    ) == ([(s.kind, s.qualname, s.signature, s.doc) for s in facts.symbols[1:]], facts.parse_errors)


@pytest.mark.parametrize("unit", ["struct A: u8 { ", "struct A: u8 { /* ", "struct A: u8 { ' ", 'struct A: u8 { " '])
def test_every_byte_keeps_its_place(unit: str) -> None:
    source = (unit * 6_000).encode()
    assert len(source) == len(with_enums(source))
