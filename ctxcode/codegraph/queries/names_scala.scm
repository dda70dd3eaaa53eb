; Lower-case names that a class, one around it, what it inherits or its package may define.
(identifier) @bare_value

; What is called, asked for behind a dot and the names of arguments are told otherwise.
(call_expression . function: (identifier) @bare_other)
(generic_function . function: (identifier) @bare_other)
[(infix_expression) (field_expression)] @bare_asking
(assignment_expression . left: (identifier) @bare_other)
(interpolated_string_expression interpolator: (identifier) @bare_other)
(postfix_expression (_) (identifier) @bare_other)
(package_identifier (identifier) @bare_other)
(access_qualifier (identifier) @bare_other)
(stable_identifier (identifier) @bare_other)
(stable_type_identifier (identifier) @bare_other)
(type_parameters name: (identifier) @bare_other)
(import_declaration) @bare_apart
(annotation) @bare_apart

; Fields, which hide what is inherited by their name, and what a class takes.
(class_parameter name: (identifier) @bare_parameter)
(template_body (val_definition pattern: (_) @bare_parameter))
(template_body (var_definition pattern: (_) @bare_parameter))
(template_body (val_declaration name: (_) @bare_parameter))
(template_body (var_declaration name: (_) @bare_parameter))
(template_body (_ pattern: (_ [(identifier) @bare_parameter (_ (identifier) @bare_parameter)])))
(extension_definition parameters: (parameters (parameter name: (identifier) @bare_parameter)))
(self_type . (identifier) @bare_parameter)

(parameter name: (identifier) @bare_bound)
(binding name: (identifier) @bare_bound)
(lambda_expression parameters: (identifier) @bare_bound)
(lambda_expression "implicit" . (identifier) @bare_bound)
(val_definition pattern: (identifier) @bare_bound)
(var_definition pattern: (identifier) @bare_bound)
(enumerator . (identifier) @bare_bound)
(case_clause pattern: (identifier) @bare_bound)
(case_class_pattern pattern: (identifier) @bare_bound)
(capture_pattern (identifier) @bare_bound)
(typed_pattern pattern: (identifier) @bare_bound)
[(infix_pattern) (alternative_pattern) (tuple_pattern) (named_pattern) (identifiers)] @bare_binding
