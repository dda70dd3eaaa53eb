(comment) @comment
(attribute_list) @decorator

; Definitions
[(namespace_declaration name: (_) @package) (file_scoped_namespace_declaration name: (_) @package)]
(class_declaration name: (_) @name body: (_)? @body) @class
(interface_declaration name: (_) @name body: (_)? @body) @interface
(struct_declaration name: (_) @name body: (_)? @body) @struct
(record_declaration name: (_) @name body: (_)? @body) @class
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_member_declaration name: (_) @name) @variant
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_)? @body) @method
(destructor_declaration name: (_) @name body: (_)? @body) @method
(operator_declaration "operator" @name body: (_)? @body) @method
(conversion_operator_declaration type: (_) @name body: (_)? @body) @method
(indexer_declaration "this" @name) @method
(local_function_statement name: (_) @name body: (_)? @body) @function
(property_declaration name: (_) @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @field
(property_declaration name: (_) @name value: (arrow_expression_clause) @body) @field
(property_declaration name: (_) @name) @field
(record_declaration (parameter_list (parameter name: (_) @name) @field))
(event_declaration name: (_) @name) @field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(field_declaration (modifier) @mark (variable_declaration (variable_declarator name: (_) @name))
  (#eq? @mark "const")) @constant
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field

; References
(invocation_expression function: [(identifier) (generic_name) (member_access_expression) (qualified_name)] @callee)
(invocation_expression function: (conditional_access_expression condition: (_) @receiver
  (member_binding_expression name: (_) @called)))
(object_creation_expression type: (_) @made)
(variable_declaration type: [(identifier) (generic_name) (qualified_name)] @made
  (variable_declarator (implicit_object_creation_expression)))
(property_declaration type: [(identifier) (generic_name) (qualified_name)] @made (implicit_object_creation_expression))
(method_declaration returns: [(identifier) (generic_name) (qualified_name)] @made
  body: (arrow_expression_clause (implicit_object_creation_expression)))
(using_directive) @import
; A pattern for nodes of any kind would wait in each of a long chain's for what never comes.
(class_declaration name: (_) @heir (base_list [(identifier) (generic_name) (qualified_name)] @base))
(interface_declaration name: (_) @heir (base_list [(identifier) (generic_name) (qualified_name)] @base))
(record_declaration name: (_) @heir (base_list [(identifier) (generic_name) (qualified_name)] @base))
(struct_declaration name: (_) @heir (base_list [(identifier) (generic_name) (qualified_name)] @base))
([(class_declaration (modifier) @part name: (_) @heir) (interface_declaration (modifier) @part name: (_) @heir)
  (struct_declaration (modifier) @part name: (_) @heir) (record_declaration (modifier) @part name: (_) @heir)]
  (#eq? @part "partial"))
(record_declaration name: (_) @heir (base_list (primary_constructor_base_type type: (_) @base)))

; Local types
(method_declaration returns: [(identifier) (generic_name) (qualified_name) (nullable_type)] @type name: (_) @returned)
(local_function_statement type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @type name: (_) @returned)
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @bound [(invocation_expression)
  (member_access_expression) (element_access_expression)] @value))
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @bound [
  (identifier) @value (await_expression (invocation_expression) @value)]))
([(record_declaration (parameter_list (parameter type: (_) @type name: (_) @member)))
  (class_declaration (parameter_list (parameter type: (_) @type name: (_) @member)))
  (struct_declaration (parameter_list (parameter type: (_) @type name: (_) @member)))])
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @bound
  [(cast_expression type: (_) @type) (as_expression right: (_) @type)]))
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @bound (binary_expression operator: "??"
  right: (object_creation_expression type: (_) @type))))
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @bound (binary_expression
  left: [(identifier) (member_access_expression) (invocation_expression)] @value operator: "??"
  right: [(throw_expression) (identifier) (member_access_expression) (invocation_expression)])))
(foreach_statement type: [(identifier) (generic_name) (qualified_name) (predefined_type)] @type left: (identifier) @bound)
(declaration_pattern type: [(identifier) (generic_name) (qualified_name) (predefined_type)] @type name: (identifier) @bound)
(recursive_pattern type: [(identifier) (generic_name) (qualified_name)] @type name: (identifier) @bound)
(catch_declaration type: [(identifier) (qualified_name)] @type name: (identifier) @bound)
(declaration_expression type: [(identifier) (generic_name) (qualified_name) (predefined_type)] @type name: (identifier) @bound)
(using_statement (variable_declaration type: [(identifier) (generic_name) (qualified_name)] @type
  (variable_declarator name: (_) @bound)))
(for_statement (variable_declaration type: [(identifier) (generic_name) (qualified_name) (predefined_type)] @type
  (variable_declarator name: (_) @bound)))
(local_declaration_statement (variable_declaration type: [(identifier) (generic_name) (qualified_name)
  (nullable_type) (predefined_type) (array_type)] @type (variable_declarator name: (_) @bound)))
(variable_declarator name: (_) @bound (object_creation_expression type: (_) @type))
(parameter type: [(identifier) (generic_name) (qualified_name) (nullable_type) (predefined_type)
  (array_type)] @type name: (_) @parameter)
(parameter_list type: (array_type) @type name: (_) @parameter)
(variable_declaration type: (implicit_type) (variable_declarator name: (_) @bound (conditional_expression
  consequence: (object_creation_expression type: (_) @type) alternative: (null_literal))))
(field_declaration (variable_declaration type: [(identifier) (generic_name) (qualified_name)
  (nullable_type) (predefined_type) (array_type)] @type (variable_declarator name: (_) @member)))
(property_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type) (predefined_type)
  (array_type)] @type name: (_) @member)

; What a place knows beyond declarations
(is_pattern_expression expression: (identifier) pattern: (constant_pattern [(identifier) (member_access_expression)])) @tested
(parenthesized_expression [(cast_expression) (as_expression)]) @tested

; What loops, lambdas, queries and calls get of collections, and what type parameters extend
(foreach_statement type: (implicit_type)) @tested
(argument (lambda_expression) @tested)
(from_clause name: (_)) @tested
(argument (declaration_expression type: (implicit_type)) @tested)
(type_parameter_constraints_clause) @tested
[(class_declaration (type_parameter_list)) (interface_declaration (type_parameter_list))
  (record_declaration (type_parameter_list)) (struct_declaration (type_parameter_list))
  (class_declaration (base_list (generic_name))) (interface_declaration (base_list (generic_name)))
  (record_declaration (base_list (generic_name))) (struct_declaration (base_list (generic_name)))] @tested
(variable_declarator name: (identifier) @declared)
