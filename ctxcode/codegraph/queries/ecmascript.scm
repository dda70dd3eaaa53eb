; Shared by JavaScript, TypeScript and TSX.
(comment) @comment
(decorator) @decorator

; Definitions
[(function_declaration) (generator_function_declaration)] @function
(class_declaration) @class
(class_body (method_definition) @method)
(object (method_definition) @object_method)
(object (pair value: [(arrow_function) (function_expression) (generator_function)]) @object_function)
(variable_declarator
  name: (identifier)
  value: [(arrow_function) (function_expression) (generator_function) (class)]) @declared_function
(variable_declarator name: (identifier) value: (call_expression
  arguments: (arguments . [(arrow_function) (function_expression) (call_expression)]))) @made_by_call
(assignment_expression
  left: (member_expression)
  right: [(arrow_function) (function_expression) (generator_function) (class)]) @assigned_function
(assignment_expression
  left: (member_expression object: (member_expression))
  right: [(identifier) (member_expression) (assignment_expression)]) @assigned_member
(assignment_expression left: (member_expression) right: (assignment_expression)) @assigned_again
(assignment_expression left: (identifier) right: [(function_expression) (arrow_function)]) @named_function
(variable_declarator name: (identifier) value: (parenthesized_expression [
  (function_expression) (call_expression function: (function_expression))])) @made_function
(arguments [(function_expression name: (identifier)) (generator_function name: (identifier))] @named_expression)
(arguments (object (pair value: (function_expression name: (identifier)) @named_expression)))
(return_statement (function_expression name: (identifier)) @named_expression)
(assignment_expression
  left: [(member_expression) (subscript_expression)] right: (function_expression name: (identifier)) @named_member)
(program (expression_statement (assignment_expression left: (member_expression) right: [
  (object) (array) (string) (template_string) (number) (true) (false) (null) (regex) (new_expression) (call_expression)
  (binary_expression) (unary_expression) (parenthesized_expression)]) @assigned_value))
(program (expression_statement [(call_expression) (unary_expression) (parenthesized_expression)]) @wrapping)
(program (expression_statement (assignment_expression left: (identifier) right: [
  (object) (new_expression) (call_expression) (class) (assignment_expression)]) @assigned_global))
(export_statement value: [(arrow_function) (function_expression) (generator_function) (class) (object)]) @default
(program (expression_statement (assignment_expression
  right: [(identifier) (member_expression) (assignment_expression)]) @assigned_name))
(export_statement "default" declaration: (_) @default_declared)
(export_statement value: [
  (identifier) (member_expression) (new_expression) (call_expression) (parenthesized_expression)] @default_value)
(program [(lexical_declaration (variable_declarator) @declared) (variable_declaration (variable_declarator) @declared)])
(program (export_statement declaration: (_ (variable_declarator) @declared)))

; References
(call_expression function: [(identifier) (member_expression)] @callee)
(new_expression constructor: [(identifier) (member_expression)] @callee)
(new_expression constructor: (parenthesized_expression . [(identifier) (member_expression)] @callee .))
(decorator [(identifier) (member_expression)] @callee)
(call_expression function: (super) @super)

; Modules
(import_statement) @import
(export_statement source: (string)) @reexport
(export_statement (export_clause)) @exported
(call_expression function: (import) arguments: (arguments . (string) @dynamic))
(expression_statement (call_expression function: (identifier) @bare arguments: (arguments . (string) @bare_module)))
(variable_declarator
  value: (call_expression function: (identifier) arguments: (arguments . (string)))) @required
(variable_declarator
  value: (member_expression object: (call_expression function: (identifier) arguments: (arguments . (string))))) @required
(variable_declarator value: (await_expression (call_expression function: (import) arguments: (arguments . (string))))) @required
(variable_declarator value: (member_expression object: (parenthesized_expression
  (await_expression (call_expression function: (import) arguments: (arguments . (string))))))) @required
(assignment_expression
  left: (member_expression)
  right: [
    (call_expression function: (identifier) arguments: (arguments . (string)))
    (member_expression object: (call_expression function: (identifier) arguments: (arguments . (string))))]
) @required_export

; Local types
(variable_declarator name: (identifier) value: [
  (new_expression) (call_expression) (await_expression [(call_expression) (identifier)]) (this) (identifier)
  (member_expression object: [(this) (identifier)]) (ternary_expression) (subscript_expression) (array . (_))
  (binary_expression operator: ["??" "||" "&&"])]) @bound
(assignment_expression left: (member_expression object: (this)) right: (
  binary_expression operator: ["??" "||"] right: (new_expression))) @this_wanted
(variable_declarator name: (object_pattern) value: [
  (call_expression) (await_expression (call_expression)) (this) (identifier)
  (member_expression object: [(this) (identifier)])]) @apart
(variable_declarator name: (array_pattern) value: [
  (call_expression) (await_expression (call_expression)) (identifier)
  (member_expression object: [(this) (identifier)])]) @apart_list
(return_statement (call_expression function: (_) @context) @returned (#any-of? @context "useContext" "React.useContext"))
(arrow_function body: (call_expression function: (_) @context) @returned (#any-of? @context "useContext" "React.useContext"))
(return_statement [
  (object) (new_expression) (this) (identifier) (ternary_expression) (augmented_assignment_expression)
  (member_expression object: [(this) (member_expression object: [(this) (member_expression object: (this))])])
  (call_expression function: [(identifier)
    (member_expression object: [(this) (identifier) (member_expression object: (this))])])
  (await_expression (call_expression function: [(identifier) (member_expression object: [(this) (identifier)])]))
  ] @returned)
(arrow_function body: [
  (new_expression) (parenthesized_expression (object)) (member_expression object: (this))] @returned)
(variable_declarator value: (arrow_function body: (call_expression function: (identifier)) @returned))
(assignment_expression left: (member_expression object: (this)) right: [(new_expression) (call_expression)]) @this_bound
(assignment_expression left: (member_expression object: (this)) right: [(identifier) (member_expression)]) @this_named
(assignment_expression left: (identifier) right: [
  (new_expression) (call_expression) (await_expression) (identifier) (member_expression) (subscript_expression)
  (ternary_expression)]) @given_later
(assignment_expression left: (identifier) right: (binary_expression)) @given_again
(augmented_assignment_expression left: (identifier)) @given_again
(for_in_statement left: (identifier) !kind) @given_again
[
  (assignment_expression left: [(object_pattern) (array_pattern)])
  (for_in_statement left: [(object_pattern) (array_pattern)] !kind)
] @given_apart
(for_in_statement) @loop
(call_expression function: (member_expression) arguments: (arguments . (arrow_function))) @each
(binary_expression left: [(identifier) (member_expression)] "instanceof" right: [(identifier) (member_expression)]) @tested
