; Lower-case names that another file of the package may define, and any that texts hold: "at $PORT".
(identifier) @bare_value
((string_content) @_sign . (string_content) @bare_text (#eq? @_sign "$"))

; What is called, types, labels and names of arguments are told otherwise.
(call_expression . (identifier) @bare_other)
(call_expression . (unary_expression argument: (identifier) @bare_other))
(infix_expression (_) . (identifier) @bare_other . (_))
(user_type (identifier) @bare_other)
(type_parameter (identifier) @bare_other)
(value_argument (identifier) @bare_other "=")
(labeled_expression (identifier) @bare_other)
(return_expression label: (identifier) @bare_other)
(this_expression (identifier) @bare_other)
(super_expression (identifier) @bare_other)
[(package_header) (import)] @bare_apart

(catch_block . (identifier) @bare_bound)
(class_parameter (identifier) @bare_bound ":")
(parameter (identifier) @bare_bound ":")
(setter (identifier) @bare_bound)
(variable_declaration (identifier) @bare_bound)
