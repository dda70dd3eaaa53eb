[(comment) (multiline_comment)] @comment
(attribute) @decorator

; Definitions
(class_declaration name: (_) @name body: (_) @body) @class
(protocol_declaration name: (_) @name body: (_) @body) @interface
; What is returned is a "name" too, and an operator's name may be any sign.
(function_declaration "func" . name: _ @name) @unread
(protocol_function_declaration "func" . name: _ @name) @method
(macro_declaration "macro" . (simple_identifier) @name) @function
(init_declaration "init" @name body: (_)? @body) @method
(deinit_declaration "deinit" @name body: (_) @body) @method
(subscript_declaration "subscript" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @variant
; Of these the tree is asked.
(class_body (property_declaration) @unread @member)
(enum_class_body (property_declaration) @unread @member)
(protocol_property_declaration) @unread @member
(source_file (property_declaration) @unread @global)
(property_declaration) @unread

; References
(call_expression . (simple_identifier) @called)
(call_expression . (prefix_expression . [(bang) "-" "~"] . (simple_identifier) @called))
(call_expression . (prefix_expression . [(bang) "-" "~"] .
  (navigation_expression target: (_) @receiver suffix: (navigation_suffix (simple_identifier) @called))))
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix (simple_identifier) @called)))
(constructor_expression constructed_type: (user_type) @made)
(import_declaration) @import
(class_declaration name: (_) @heir (inheritance_specifier inherits_from: (_) @base))
(protocol_declaration name: (_) @heir (inheritance_specifier inherits_from: (_) @base))

; Local types
(_ name: (simple_identifier) @returned "->" . (_) @type)
(typealias_declaration name: (type_identifier) @returned [(user_type) (protocol_composition_type)] @type)
(parameter name: (simple_identifier) @parameter . (parameter_modifiers)? .
  [(user_type) (optional_type) (existential_type) (opaque_type) (protocol_composition_type)
  (array_type) (dictionary_type)] @type)
(lambda_parameter name: (simple_identifier) @bound . (user_type) @type)
(_ bound_identifier: (simple_identifier) @bound . [
  (call_expression) @value (navigation_expression) @value (simple_identifier) @value
  (try_expression expr: [(call_expression) (navigation_expression)] @value)
  (as_expression (as_operator) . [(user_type) (existential_type)] @type)])

; What a place knows beyond declarations
(tuple_expression (as_expression (user_type))) @tested
(switch_entry (switch_pattern (pattern (user_type) .))) @tested
(prefix_expression "." target: (simple_identifier) @implied)
(switch_entry (switch_pattern (pattern . (simple_identifier) @label)))

; What loops and closures get of collections
(for_statement) @tested
(call_suffix (lambda_literal) @tested)
(type_parameter (type_identifier) (user_type)) @tested
(property_declaration name: (pattern bound_identifier: (simple_identifier) @declared))
