; Lower-case types that a file which is included may define; what else is meant, the classes around may define.
(type_identifier) @bare_type
(qualified_identifier scope: (namespace_identifier) @bare_head)

; What a template takes.
(type_parameter_declaration (type_identifier) @bare_parameter)
(variadic_type_parameter_declaration (type_identifier) @bare_parameter)
(optional_type_parameter_declaration name: (type_identifier) @bare_parameter)
