; Lower-case names that another file of the module may define.
(simple_identifier) @bare_value

; What is called, labels and names of parts are told otherwise.
(call_expression . (simple_identifier) @bare_other . (call_suffix [(lambda_literal) (value_arguments "(")]))
(call_expression . (prefix_expression target: (simple_identifier) @bare_other))
(value_argument_label (simple_identifier) @bare_other)
(parameter external_name: (simple_identifier) @bare_other)
(enum_type_parameters (simple_identifier) @bare_other)
(tuple_type_item name: (simple_identifier) @bare_other)
(tuple_expression name: (simple_identifier) @bare_other)
(control_transfer_statement ["break" "continue"] result: (simple_identifier) @bare_other)
[(import_declaration) (attribute) (availability_condition) (directive) (operator_declaration)
  (precedence_group_declaration)] @bare_apart

(_ bound_identifier: (simple_identifier) @bare_bound)
(pattern (simple_identifier) @bare_bound)
(parameter name: (simple_identifier) @bare_bound)
(lambda_parameter name: (simple_identifier) @bare_bound)
(capture_list_item name: (simple_identifier) @bare_bound value: (_))
(computed_setter (simple_identifier) @bare_bound)
(willset_clause (simple_identifier) @bare_bound)
(didset_clause (simple_identifier) @bare_bound)
