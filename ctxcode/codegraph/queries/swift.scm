[(comment) (multiline_comment)] @comment
(attribute) @decorator

; Definitions
(class_declaration name: (_) @name body: (_) @body) @class
(protocol_declaration name: (_) @name body: (_) @body) @interface
; What is returned is a "name" too, and an operator's name may be any sign.
(function_declaration "func" . name: _ @name body: (_) @body) @function
(protocol_function_declaration "func" . name: _ @name) @method
(macro_declaration "macro" . (simple_identifier) @name) @function
(init_declaration "init" @name body: (_)? @body) @method
(deinit_declaration "deinit" @name body: (_) @body) @method
(subscript_declaration "subscript" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @variant
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @field
(class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @field)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name) (willset_didset_block) @body) @field)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @field)
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @variable)

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
(class_body (property_declaration name: (pattern bound_identifier: (_) @member) (type_annotation
  [(user_type) (optional_type) (existential_type) (opaque_type) (protocol_composition_type)
  (array_type) (dictionary_type)] @type)))
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @member) (type_annotation
  [(user_type) (optional_type) (existential_type) (opaque_type) (protocol_composition_type)
  (array_type) (dictionary_type)] @type)))
(protocol_property_declaration name: (pattern bound_identifier: (_) @member) (type_annotation
  [(user_type) (optional_type) (existential_type) (opaque_type) (protocol_composition_type)
  (array_type) (dictionary_type)] @type))
(class_body (property_declaration name: (pattern bound_identifier: (_) @member)
  value: (constructor_expression . (user_type) @type)))
(class_body (property_declaration name: (pattern bound_identifier: (_) @member)
  value: [(call_expression) (navigation_expression)] @value))
(property_declaration name: (pattern bound_identifier: (_) @bound) (type_annotation
  [(user_type) (optional_type) (existential_type) (opaque_type) (protocol_composition_type)
  (array_type) (dictionary_type)] @type))
(property_declaration name: (pattern bound_identifier: (_) @bound) value: (constructor_expression . (user_type) @type))
(property_declaration name: (pattern bound_identifier: (_) @bound) value: (as_expression
  (as_operator) . [(user_type) (existential_type)] @type))
(property_declaration name: (pattern bound_identifier: (_) @bound) value: [
  (call_expression) @value (navigation_expression) @value
  (try_expression expr: [(call_expression) (navigation_expression)] @value)
  (await_expression expr: [(call_expression) (navigation_expression)] @value)
  (try_expression expr: (await_expression expr: [(call_expression) (navigation_expression)] @value))])
(_ bound_identifier: (simple_identifier) @bound . [
  (call_expression) @value (navigation_expression) @value (simple_identifier) @value
  (try_expression expr: [(call_expression) (navigation_expression)] @value)
  (as_expression (as_operator) . [(user_type) (existential_type)] @type)])

; What a place knows beyond declarations
(tuple_expression (as_expression (user_type))) @tested
(switch_entry (switch_pattern (pattern (user_type) .))) @tested

; What loops and closures get of collections
(for_statement) @tested
(call_suffix (lambda_literal) @tested)
(type_parameter (type_identifier) (user_type)) @tested
