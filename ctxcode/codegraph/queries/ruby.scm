(comment) @comment

; Definitions
(module name: (_) @name) @namespace
(class name: (_) @name superclass: (_)? @head) @class
(method name: (_) @name parameters: (_)? @head) @function @gives
(singleton_method name: (_) @name parameters: (_)? @head) @function @gives
(assignment left: (constant) @name) @constant
(operator_assignment left: (constant) @name) @constant
(assignment left: (scope_resolution) @name) @constant
(call receiver: [(constant) (scope_resolution)] @hook method: (identifier) @word arguments: (argument_list
  (simple_symbol) @name @field) (#any-of? @hook "Struct" "Data" "::Struct" "::Data") (#any-of? @word "define" "new"))
(alias name: (_) @name) @method

; References
; All that is said of calls is read by hand: a pattern would wait in each call of a chain, or of a nest, for its end.
(call) @unread
(alias alias: [(identifier) (simple_symbol)] @aliased)
(identifier) @word_used
(scope_resolution !scope) @used
[(method name: (_) @word_named) (singleton_method name: (_) @word_named)
  (alias (identifier) @word_named) (undef (identifier) @word_named)]
[(assignment left: (identifier) @local) (operator_assignment left: (identifier) @local)
  (left_assignment_list (identifier) @local) (destructured_left_assignment (identifier) @local)
  (rest_assignment (identifier) @local) (method_parameters (identifier) @local) (block_parameters (identifier) @local)
  (lambda_parameters (identifier) @local) (destructured_parameter (identifier) @local)
  (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local)
  (splat_parameter name: (identifier) @local) (hash_splat_parameter name: (identifier) @local)
  (block_parameter name: (identifier) @local) (exception_variable (identifier) @local)
  (for pattern: (identifier) @local) (in_clause pattern: (identifier) @local) (array_pattern (identifier) @local)
  (as_pattern name: (identifier) @local) (keyword_pattern value: (identifier) @local)
  (keyword_pattern key: (hash_key_symbol) @local !value)
  (alternative_pattern (identifier) @local)]
(binary left: (regex) @matched operator: "=~")
(super) @super
(body_statement (identifier) @access (#any-of? @access "private" "protected" "public"))
(class name: (_) @heir superclass: (superclass [(constant) (scope_resolution)] @base))
(assignment left: (constant) @heir right: (call receiver: [(constant) (scope_resolution)] @hook method: (identifier)
  arguments: (argument_list . [(constant) (scope_resolution)] @base)) (#any-of? @hook "Class" "::Class"))

; Local types
(assignment left: (constant) @returned right: [(constant) (scope_resolution)] @type)
([(assignment left: [(constant) (identifier) (instance_variable)] @bound right: (call receiver: [(constant) (scope_resolution)]
  @type method: (identifier) @maker)) (operator_assignment left: (instance_variable) @bound right: (call
  receiver: [(constant) (scope_resolution)] @type method: (identifier) @maker))]
  (#not-match? @type "^(::)?(Class|Data|Module|Struct)$"))
