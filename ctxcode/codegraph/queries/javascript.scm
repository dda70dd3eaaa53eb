(field_definition) @field
(formal_parameters (assignment_pattern left: (identifier) right: (new_expression)) @defaulted)
(assignment_expression left: (member_expression object: (this)) right: [
  (identifier) (null) (undefined) (array) (object) (false)]) @kept
