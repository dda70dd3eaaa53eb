; Definitions
(function_definition) @function
(class_definition) @class
(decorated_definition) @decorated
(type_alias_statement) @alias

; References
(call function: [(identifier) (attribute)] @callee)
(call function: (list_splat [(identifier) (attribute)] @callee))
(decorator [(identifier) (attribute)] @callee)
(class_pattern (dotted_name) @matched)
(import_statement) @import
(import_from_statement) @import_from

; Constants are looked for among the module's own statements
(module) @module

; Local types
(assignment left: [(identifier) (attribute)] right: [
  (call function: [(identifier) (attribute) (call) (subscript)])
  (await (call function: [(identifier) (attribute) (call)]))]) @made
(named_expression name: (identifier) value: (call function: [(identifier) (attribute) (call)])) @made
(assignment left: [(identifier) (attribute)] right: [
  (boolean_operator) (conditional_expression) (list) (set) (dictionary) (list_comprehension) (set_comprehension)
  (dictionary_comprehension)]) @valued
(assignment left: (subscript) right: (_)) @filed
(assignment left: (pattern_list) right: (expression_list)) @unpacked
(assignment left: [(pattern_list) (tuple_pattern)] right: [
  (call function: [(identifier) (attribute)]) (identifier) (attribute)
  (await (call function: [(identifier) (attribute)]))]) @parted
(type_parameter (type (constrained_type))) @limited
(assignment left: (attribute) right: [(identifier) (attribute)]) @kept
(except_clause (as_pattern [(identifier) (attribute) (tuple)] alias: (as_pattern_target (identifier)))) @caught
(assignment left: (identifier) right: [(identifier) (attribute) (await [(identifier) (attribute)])]) @same
(assignment left: [(identifier) (attribute)] type: (type)) @annotated
(typed_parameter [(identifier) (list_splat_pattern) (dictionary_splat_pattern)] type: (type)) @typed_parameter
(typed_default_parameter name: (identifier) type: (type)) @typed_default_parameter
(default_parameter name: (identifier) value: (call function: [(identifier) (attribute)])) @default_parameter
(with_item value: (as_pattern
  [(call function: [(identifier) (attribute)]) (identifier) (attribute)] alias: (as_pattern_target (identifier)))) @with
(assignment left: [(identifier) (attribute)] right: (subscript)) @element
(call function: (identifier) @test arguments: (argument_list . [(identifier) (attribute)] .
    [(identifier) (attribute) (tuple) (binary_operator)] .)
  (#eq? @test "isinstance")) @tested
(case_clause) @tested
(global_statement) @global
(nonlocal_statement) @nonlocal
(for_statement) @loop
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @comprehension
(return_statement (_)) @returned
(yield) @yield
