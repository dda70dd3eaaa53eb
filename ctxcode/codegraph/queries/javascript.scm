(field_definition) @field
(formal_parameters (assignment_pattern left: (identifier) right: (new_expression)) @defaulted)
(assignment_expression left: (member_expression object: (this)) right: [
  (identifier) (null) (undefined) (array) (object) (false)]) @kept
(member_expression object: (parenthesized_expression) @told)
(variable_declarator name: (identifier) value: (parenthesized_expression)) @bound_told
