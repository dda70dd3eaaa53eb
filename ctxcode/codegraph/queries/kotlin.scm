[(line_comment) (block_comment)] @comment
(annotation) @decorator
(annotated_expression (annotation) @misplaced)
(annotated_expression (annotation (user_type)) . (parenthesized_expression)) @decorator

; Definitions
(package_header (qualified_identifier) @package)
(class_declaration name: (_) @name [(class_body) (enum_class_body)]? @body) @class
(object_declaration name: (_) @name (class_body)? @body) @class
(companion_object name: (_) @name (class_body)? @body) @class
(companion_object name: (_) @companion)
(function_declaration name: (_) @name (function_value_parameters) (function_body)? @body) @function
(secondary_constructor "constructor" @name (function_value_parameters) @head (constructor_delegation_call)? @head
  (block)? @body) @method
(function_declaration (user_type) @container . name: (_) @name (function_body)? @body) @function
(type_alias type: (_) @name) @type
(enum_entry (identifier) @name (class_body) @body) @variant
(enum_entry . (modifiers)? . (identifier) @name) @variant
(class_parameter ["val" "var"] . (identifier) @name) @field
(class_body (property_declaration (variable_declaration (identifier) @name)) @field)
(class_body (property_declaration (variable_declaration (identifier) @name) (getter (function_body)) @body) @field)
(source_file (property_declaration (variable_declaration (identifier) @name)) @variable)
(source_file (property_declaration (user_type) @container (variable_declaration (identifier) @name)) @variable)

; References
(callable_reference . (identifier) @used .)
(navigation_expression . [(identifier) (this_expression) (navigation_expression)] @receiver "::" . (identifier) @called .
  (#not-eq? @called "class") (#not-match? @receiver "^[A-Z]"))
; Most words between two values are the library's.
(infix_expression . (_) @receiver . (identifier) @called . (_)
  (#not-match? @called "^(and|downTo|or|shl|shr|step|to|until|ushr|xor|zip)$"))
(call_expression . [(identifier) (navigation_expression)] @callee)
(call_expression . (unary_expression argument: (identifier) @callee))
(binary_expression left: (binary_expression left: [(identifier) (navigation_expression)] @callee "<"
  right: (identifier)) ">" right: [(parenthesized_expression (_)) (lambda_literal)])
(binary_expression left: (binary_expression left: (unary_expression argument: (identifier) @callee) "<"
  right: (identifier)) ">" right: [(parenthesized_expression (_)) (lambda_literal)])
(constructor_invocation (user_type) @made)
(import) @import
(class_declaration name: (_) @heir (delegation_specifiers (delegation_specifier [(user_type) @base
  (constructor_invocation (user_type) @base) (explicit_delegation . (user_type) @base)])))
(object_declaration name: (_) @heir (delegation_specifiers (delegation_specifier [(user_type) @base
  (constructor_invocation (user_type) @base) (explicit_delegation . (user_type) @base)])))

; Local types
(function_declaration name: (_) @returned (function_value_parameters) . [(user_type) (nullable_type)] @type)
(type_alias type: (identifier) @returned (user_type) @type)
(function_declaration name: (_) @returned (function_value_parameters) . (function_body . [(call_expression)
  (navigation_expression) (identifier) (this_expression)] @value .))
(property_declaration (variable_declaration . (identifier) @bound .) [(call_expression) (navigation_expression)
  (identifier) (index_expression)] @value)
(class_body (property_declaration (variable_declaration . (identifier) @member .) [(call_expression)
  (navigation_expression)] @value))
(class_body (property_declaration (variable_declaration . (identifier) @member .) (getter (function_body .
  [(call_expression) (navigation_expression) (identifier) (this_expression)] @value))))
(property_declaration (variable_declaration . (identifier) @bound .) (binary_expression
  left: [(call_expression) (navigation_expression) (identifier) (index_expression)] @value "?:"))
(property_declaration (variable_declaration . (identifier) @bound .) (unary_expression
  argument: [(call_expression) (navigation_expression) (identifier) (index_expression)] @value "!!"))
(property_declaration (variable_declaration . (identifier) @bound .) (if_expression condition: (_) .
  (call_expression) @value . (identifier) @null .) (#eq? @null "null"))
(property_declaration (variable_declaration . (identifier) @bound .) (property_delegate (call_expression .
  (identifier) @lazy (annotated_lambda (lambda_literal (call_expression) @value .)))) (#eq? @lazy "lazy"))
(class_body (property_declaration (variable_declaration . (identifier) @member .) (property_delegate (call_expression .
  (identifier) @lazy (annotated_lambda (lambda_literal (call_expression) @value .)))) (#eq? @lazy "lazy")))
(property_declaration (variable_declaration . (identifier) @bound .) (as_expression right: (user_type) @type))
(property_declaration (variable_declaration . (identifier) @bound .)
  [(if_expression) (when_expression) (try_expression)] @value)
(property_declaration (variable_declaration . (identifier) @bound .) (binary_expression
  left: (as_expression right: (user_type) @type) "?:"))
(catch_block (identifier) @bound (user_type) @type)
(for_statement (variable_declaration (identifier) @bound (user_type) @type))
(parameter (identifier) @parameter [(user_type) (nullable_type)] @type)
(class_parameter (identifier) @member [(user_type) (nullable_type)] @type)
(class_body (property_declaration (variable_declaration (identifier) @member [(user_type) (nullable_type)] @type)))
(class_body (property_declaration (variable_declaration . (identifier) @member .) (call_expression . (identifier) @type)))
(property_declaration (variable_declaration (identifier) @bound [(user_type) (nullable_type)] @type))
(property_declaration (variable_declaration . (identifier) @bound .) (call_expression . (identifier) @type))

; What a place knows beyond declarations, and a file of itself
(file_annotation) @tested
(class_declaration (type_parameters)) @tested
[(class_declaration (delegation_specifiers (delegation_specifier [(user_type (type_arguments))
  (constructor_invocation (user_type (type_arguments)))]))) (object_declaration (delegation_specifiers
  (delegation_specifier [(user_type (type_arguments)) (constructor_invocation (user_type (type_arguments)))])))] @tested
(is_expression left: (identifier) right: (user_type)) @tested
(type_test (user_type)) @tested
(parenthesized_expression (as_expression right: [(user_type) (nullable_type)])) @tested

; What functions get that are given to others, and what type parameters extend
(call_expression . (navigation_expression) (annotated_lambda (lambda_literal) @tested))
(call_expression . (call_expression . (identifier) @with) (annotated_lambda (lambda_literal) @tested) (#eq? @with "with"))
(type_parameter (identifier) [(user_type) (nullable_type)]) @tested

; Local names of which nothing is known
(lambda_parameters (variable_declaration . (identifier) @tested .))
(multi_variable_declaration (variable_declaration . (identifier) @tested .))
(for_statement (variable_declaration . (identifier) @tested .))
(property_declaration (variable_declaration . (identifier) @tested .))
(property_declaration (variable_declaration . (identifier) @declared))
