; Lower-case types that a file which is included may define; what is called as constants are is found in the text.
(type_identifier) @bare_type
(qualified_identifier scope: (namespace_identifier) @bare_head)

; What a template takes.
(type_parameter_declaration (type_identifier) @bare_parameter)
(variadic_type_parameter_declaration (type_identifier) @bare_parameter)
(optional_type_parameter_declaration name: (type_identifier) @bare_parameter)

(parameter_declaration declarator: (identifier) @bare_bound)
(declaration declarator: (identifier) @bare_bound)
(init_declarator declarator: (identifier) @bare_bound)
(structured_binding_declarator (identifier) @bare_bound)
