"""What the loader of source code knows of each language: suffixes, and the names of the grammar's nodes."""

from __future__ import annotations

from dataclasses import dataclass

SUFFIXES: dict[str, str] = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), "python"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    ".tsx": "tsx",
    ".java": "java",
    ".go": "go",
    ".rs": "rust",
    **dict.fromkeys((".c", ".h"), "c"),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), "cpp"),
    ".cs": "csharp",
    **dict.fromkeys((".rb", ".rake"), "ruby"),
    ".php": "php",
    **dict.fromkeys((".sh", ".bash"), "bash"),
    # No grammar for these: runs of lines between blank lines.
    **dict.fromkeys((".kt", ".kts"), "kotlin"),
    ".swift": "swift",
    ".scala": "scala",
    ".dart": "dart",
    ".lua": "lua",
    **dict.fromkeys((".pl", ".pm"), "perl"),
    ".r": "r",
    ".jl": "julia",
    ".hs": "haskell",
    ".ml": "ocaml",
    **dict.fromkeys((".ex", ".exs"), "elixir"),
    ".erl": "erlang",
    ".clj": "clojure",
    ".sql": "sql",
    ".ps1": "powershell",
    ".bat": "bat",
    ".zsh": "zsh",
    ".fish": "fish",
    ".css": "css",
    ".scss": "scss",
    ".proto": "protobuf",
    ".graphql": "graphql",
    ".tf": "hcl",
    ".tex": "latex",
    **dict.fromkeys((".xml", ".xsd", ".xsl"), "xml"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """``module`` and ``function`` give the grammar. ``definitions`` are nodes that have a name; ``scopes`` those of
    them (or nodes without a name of their own in the path) whose bodies are searched for further definitions;
    ``wrappers`` stand around one definition and belong to it (decorators, ``export``); ``leaders`` stand before one
    and belong to it, as comments do; ``separator`` joins the parts of a qualified name."""

    module: str
    definitions: frozenset[str]
    scopes: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    leaders: frozenset[str] = frozenset()
    function: str = "language"
    separator: str = "."


def _names(*words: str) -> frozenset[str]:
    return frozenset(" ".join(words).split())


_ECMA_FUNCTIONS = "function_declaration generator_function_declaration method_definition class_declaration"
_ECMA_SCOPES = "class_declaration class_body lexical_declaration variable_declaration"
_TYPESCRIPT_SCOPES = "abstract_class_declaration internal_module module statement_block ambient_declaration"
_TYPESCRIPT_DEFINITIONS = (
    "abstract_class_declaration interface_declaration enum_declaration type_alias_declaration internal_module module "
    "function_signature abstract_method_signature public_field_definition"
)
_TYPESCRIPT_WRAPPERS = (
    "export_statement lexical_declaration variable_declaration ambient_declaration expression_statement"
)
_TYPESCRIPT = _names(_ECMA_FUNCTIONS, "variable_declarator", _TYPESCRIPT_DEFINITIONS)
_C_SCOPES = (
    "preproc_if preproc_ifdef preproc_else preproc_elif linkage_specification declaration_list type_definition "
    "field_declaration_list"
)

GRAMMARS: dict[str, Grammar] = {
    "python": Grammar(
        module="tree_sitter_python",
        definitions=_names("function_definition class_definition"),
        scopes=_names(
            "class_definition block if_statement else_clause elif_clause try_statement except_clause finally_clause",
            "with_statement",
        ),
        wrappers=_names("decorated_definition"),
    ),
    "javascript": Grammar(
        module="tree_sitter_javascript",
        definitions=_names(_ECMA_FUNCTIONS, "variable_declarator"),
        scopes=_names(_ECMA_SCOPES),
        wrappers=_names("export_statement lexical_declaration variable_declaration"),
    ),
    "typescript": Grammar(
        module="tree_sitter_typescript",
        function="language_typescript",
        definitions=_TYPESCRIPT,
        scopes=_names(_ECMA_SCOPES, _TYPESCRIPT_SCOPES),
        wrappers=_names(_TYPESCRIPT_WRAPPERS),
        leaders=_names("decorator"),
    ),
    "tsx": Grammar(
        module="tree_sitter_typescript",
        function="language_tsx",
        definitions=_TYPESCRIPT,
        scopes=_names(_ECMA_SCOPES, _TYPESCRIPT_SCOPES),
        wrappers=_names(_TYPESCRIPT_WRAPPERS),
        leaders=_names("decorator"),
    ),
    "java": Grammar(
        module="tree_sitter_java",
        definitions=_names(
            "class_declaration interface_declaration enum_declaration record_declaration method_declaration",
            "annotation_type_declaration constructor_declaration compact_constructor_declaration",
        ),
        scopes=_names(
            "class_declaration interface_declaration enum_declaration record_declaration class_body interface_body",
            "enum_body enum_body_declarations annotation_type_declaration annotation_type_body",
        ),
    ),
    "go": Grammar(
        module="tree_sitter_go",
        definitions=_names("function_declaration method_declaration type_spec type_alias"),
        scopes=_names("type_declaration"),
        wrappers=_names("type_declaration"),
    ),
    "rust": Grammar(
        module="tree_sitter_rust",
        definitions=_names(
            "function_item function_signature_item struct_item enum_item union_item trait_item impl_item mod_item",
            "type_item macro_definition",
        ),
        scopes=_names("impl_item trait_item mod_item declaration_list"),
        leaders=_names("attribute_item"),
        separator="::",
    ),
    "c": Grammar(
        module="tree_sitter_c",
        definitions=_names("function_definition struct_specifier union_specifier enum_specifier type_definition"),
        scopes=_names(_C_SCOPES),
        separator="::",
    ),
    "cpp": Grammar(
        module="tree_sitter_cpp",
        definitions=_names(
            "function_definition class_specifier struct_specifier union_specifier enum_specifier type_definition",
            "namespace_definition concept_definition alias_declaration",
        ),
        scopes=_names("class_specifier struct_specifier union_specifier namespace_definition", _C_SCOPES),
        wrappers=_names("template_declaration"),
        separator="::",
    ),
    "csharp": Grammar(
        module="tree_sitter_c_sharp",
        definitions=_names(
            "class_declaration struct_declaration interface_declaration enum_declaration record_declaration",
            "method_declaration constructor_declaration property_declaration delegate_declaration",
            "namespace_declaration",
        ),
        scopes=_names(
            "class_declaration struct_declaration interface_declaration record_declaration namespace_declaration",
            "declaration_list",
        ),
    ),
    "ruby": Grammar(
        module="tree_sitter_ruby",
        definitions=_names("class module method singleton_method"),
        scopes=_names("class module body_statement singleton_class"),
        separator="::",
    ),
    "php": Grammar(
        module="tree_sitter_php",
        function="language_php",
        definitions=_names(
            "class_declaration interface_declaration trait_declaration enum_declaration function_definition",
            "method_declaration namespace_definition",
        ),
        scopes=_names(
            "class_declaration interface_declaration trait_declaration enum_declaration declaration_list",
            "enum_declaration_list namespace_definition compound_statement",
        ),
        separator="::",
    ),
    "bash": Grammar(module="tree_sitter_bash", definitions=_names("function_definition")),
}

VALUES_THAT_DEFINE = _names(
    "arrow_function function_expression function generator_function class class_declaration",
)
"""A variable of JavaScript or TypeScript is a definition where its value is one of these."""
