[(comment) (multiline_comment)] @comment
(attribute) @decorator

; Definitions
(class_declaration name: (_) @name body: (_) @body) @class
(protocol_declaration name: (_) @name body: (_) @body) @interface
(function_declaration name: [
  (simple_identifier) (custom_operator) (bang) "%" "%=" "&" "*" "*=" "+" "++" "+=" "-" "--" "-=" "/" "/=" "<" "<<"
  "=" "==" "===" ">" ">>" "^" "|" "~" "!=" "!==" "<=" ">=" "&&" "||" "??" "..<" "..."
  ] @name body: (_) @body) @function
(protocol_function_declaration name: [
  (simple_identifier) (custom_operator) (bang) "%" "%=" "&" "*" "*=" "+" "++" "+=" "-" "--" "-=" "/" "/=" "<" "<<"
  "=" "==" "===" ">" ">>" "^" "|" "~" "!=" "!==" "<=" ">=" "&&" "||" "??" "..<" "..."
  ] @name) @method
(macro_declaration "macro" . (simple_identifier) @name) @function
(init_declaration "init" @name body: (_)? @body) @method
(deinit_declaration "deinit" @name body: (_) @body) @method
(subscript_declaration "subscript" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @variant
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @field
(class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @field)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @field)
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @variable)

; References
(call_expression . [(simple_identifier) (navigation_expression)] @callee)
(import_declaration) @import
(class_declaration name: (_) @heir (inheritance_specifier inherits_from: (_) @base))
(protocol_declaration name: (_) @heir (inheritance_specifier inherits_from: (_) @base))

; Local types
(parameter name: (simple_identifier) @parameter . (user_type) @type)
(class_body (property_declaration name: (pattern bound_identifier: (_) @member)
  (type_annotation [(user_type) (optional_type)] @type)))
(class_body (property_declaration name: (pattern bound_identifier: (_) @member)
  value: (call_expression . (simple_identifier) @type)))
(property_declaration name: (pattern bound_identifier: (_) @bound)
  (type_annotation [(user_type) (optional_type)] @type))
(property_declaration name: (pattern bound_identifier: (_) @bound) value: (call_expression . (simple_identifier) @type))

; What a place knows beyond declarations
(tuple_expression (as_expression (user_type))) @tested
(if_statement (value_binding_pattern) . (simple_identifier) @bound . (as_expression (user_type) @type))
(guard_statement (value_binding_pattern) . (simple_identifier) @bound . (as_expression (user_type) @type))
(property_declaration name: (pattern bound_identifier: (_) @bound) (as_expression (user_type) @type))
