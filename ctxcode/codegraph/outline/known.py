"""Files that are read without a grammar: their languages, and the names by which they are known."""

_WITH_READER = """
markdown    .md .markdown .mdx
toml        .toml
yaml        .yaml .yml
json        .json .jsonc
sql         .sql
gomod       go.mod
proto       .proto
graphql     .graphql .graphqls .gql
terraform   .tf
make        .mk Makefile GNUmakefile makefile
"""
"""Each has a reader of its own; see ``outline.reading``."""
_PROGRAMS = """
ada         .adb .ads
assembly    .s .asm
clojure     .clj .cljs .cljc .bb
coffee      .coffee
crystal     .cr
cython      .pyx .pxd .pxi
d           .d
dart        .dart
elixir      .ex .exs
elm         .elm
erlang      .erl .hrl .escript
fish        .fish
fortran     .f .for .f77 .f90 .f95 .f03 .f08
fsharp      .fs .fsi .fsx
gdscript    .gd
groovy      .groovy .gradle .gvy Jenkinsfile
haskell     .hs .hsc .purs
julia       .jl
lisp        .lisp .lsp .asd .scm .ss .sld .sls .rkt .el
nim         .nim .nims
nix         .nix
objc        .m .mm
ocaml       .ml .mli .mll .mly
pascal      .pas .dpr .lpr
perl        .pl .pm .t
powershell  .ps1 .psm1
prisma      .prisma
puppet      .pp
r           .r
shader      .glsl .vert .frag .comp .hlsl .wgsl .metal .cl
solidity    .sol
tcl         .tcl .tk
thrift      .thrift
verilog     .v .sv .svh .vh
vhdl        .vhd .vhdl
vim         .vim .vimrc
visualbasic .vb .vbs .bas
zig         .zig
"""
"""Each has patterns in ``outline/patterns``."""
_PAGES = """
css         .css .scss .sass .less .styl .pcss .postcss
html        .html .htm .xhtml .jinja .jinja2 .j2 .twig .liquid .hbs .handlebars .mustache .ejs .njk
html        .erb .rhtml .jsp .ftl .tmpl .gohtml .cshtml .razor .heex .eex .leex .tpl .mako
pug         .pug .jade .haml .slim
"""
"""What a product shows; patterns, too."""
_TEXTS = """
cmake       .cmake CMakeLists.txt
rst         .rst .rest .txt .text README INSTALL HACKING
asciidoc    .adoc .asciidoc
org         .org
tex         .tex .sty
ini         .ini .cfg .conf .cnf .properties .editorconfig .service .socket .timer .desktop .flake8 .pylintrc
docker      .dockerfile Dockerfile Containerfile
xml         .xml .xsd .xsl .xslt .wsdl .xaml .axaml .csproj .fsproj .vbproj .props .targets .plist .resx
xml         .storyboard .xib .qrc .ui
batch       .bat .cmd
text        .in .am .ac .m4 .awk .sed .example .sample .template .npmrc .dockerignore Procfile Kconfig
"""
"""Documents and settings: they stand aside unless they are asked for."""


def rows(table: str) -> tuple[tuple[str, str], ...]:
    """Return a table's (ending or name, language), in its order."""
    lines = [line.split() for line in table.strip().split("\n")]
    return tuple((name, language) for language, *names in lines for name in names)


_EVERY = rows(_WITH_READER) + rows(_PROGRAMS) + rows(_PAGES) + rows(_TEXTS)
INFRASTRUCTURE = "infrastructure"
"""YAML that says what machines are and do; it is known by its folders."""
OUTLINES = (*dict.fromkeys(language for _, language in _EVERY), INFRASTRUCTURE)
"""The languages of such files."""
PROGRAMS = frozenset(language for _, language in rows(_PROGRAMS))
"""Those of them in which programs are written."""
CALLING = PROGRAMS | {INFRASTRUCTURE}
"""Those whose calls are found by names."""
WITHOUT_CALLS = frozenset({*OUTLINES}.difference(CALLING)) | {"nix", "prisma", "puppet", "thrift"}
"""Languages in which it is not found out what uses a definition."""
OTHERWISE_READ = {"cpp": "objc"}
"""What a file may hold, by its text, whose name says another language: a header is anybody's."""
BY_SUFFIX = {name: language for name, language in _EVERY if name.startswith(".")}
BY_NAME = {name: language for name, language in _EVERY if not name.startswith(".")}
