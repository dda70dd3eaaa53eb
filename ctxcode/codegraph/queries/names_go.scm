; Lower-case names that another file of the package may define: types, and what is none of a function's own.
(type_identifier) @bare_type
(identifier) @bare_value

; What is called is told otherwise.
(call_expression function: (identifier) @bare_other)

(parameter_declaration name: (identifier) @bare_bound)
(variadic_parameter_declaration name: (identifier) @bare_bound)
(type_parameter_declaration name: (identifier) @bare_bound)
(short_var_declaration left: (expression_list (identifier) @bare_bound))
(var_spec name: (identifier) @bare_bound)
(const_spec name: (identifier) @bare_bound)
(range_clause left: (expression_list (identifier) @bare_bound))
(receive_statement left: (expression_list (identifier) @bare_bound))
(type_switch_statement alias: (expression_list (identifier) @bare_bound))
