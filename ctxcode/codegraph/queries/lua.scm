(comment) @comment

; Definitions
(function_declaration name: (_) @name parameters: (_) @head) @function
(assignment_statement (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition parameters: (_) @head) .)) @function
(variable_declaration (assignment_statement (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition parameters: (_) @head) .))) @function
(field name: [(identifier) (string) (dot_index_expression)] @name value: (function_definition parameters: (_) @head)) @function
(chunk (assignment_statement (variable_list . name: (dot_index_expression table: (identifier)) @name)) @field)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @variable)
(chunk (variable_declaration (variable_list name: (identifier) @name)) @variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)

; References
(function_call name: (_) @callee)
(function_call name: (identifier) @word (#eq? @word "setmetatable")) @unread
(chunk (return_statement (expression_list . (identifier) @offered .)))
(return_statement (expression_list . (_) .)) @gives
(variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list
  . value: (function_call name: (identifier) @word)) (#eq? @word "require"))) @import
(chunk (function_call name: (identifier) @word (#eq? @word "require")) @import)

; Local types
(variable_declaration (assignment_statement (variable_list) @bound_all (expression_list) @value_all))
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @this field: (identifier) @member) .)
  (expression_list . value: (function_call) @value .) (#eq? @this "self"))
