"""The words of C and C++ that are no names."""

PRIMITIVE = frozenset(
    b"void char short int long float double signed unsigned bool _Bool auto wchar_t char8_t char16_t char32_t".split()
)
SPECIFIERS = frozenset(
    b"const volatile static inline register extern restrict constexpr consteval constinit mutable virtual explicit"
    b" typedef friend final override noexcept thread_local __inline __inline__ __restrict __restrict__ __extension__"
    b" __const __volatile__ _Noreturn".split()
)
"""Words between which a declaration's names count as neighbours."""
TAGS = frozenset({b"struct", b"union", b"class", b"enum"})
SCOPES = frozenset({b"struct", b"union", b"class", b"namespace", b"extern"})
HEADS = TAGS | frozenset({b"namespace", b"template", b"using", b"typedef", b"public", b"private", b"protected"})
"""Words that begin something: no name stands before them."""
WORDS = (
    PRIMITIVE
    | SPECIFIERS
    | HEADS
    | frozenset(
        b"alignas alignof and and_eq asm __asm__ __asm __attribute__ __declspec bitand bitor break case catch co_await"
        b" co_return co_yield compl concept const_cast continue decltype default delete do dynamic_cast else export"
        b" false for goto if new not not_eq nullptr operator or or_eq reinterpret_cast requires return sizeof"
        b" static_assert static_cast switch this throw true try typeid typename typeof __typeof__ while xor xor_eq"
        b" import module defined __pragma __except __try __finally".split()
    )
)
