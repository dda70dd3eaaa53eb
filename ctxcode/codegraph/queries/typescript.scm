; Definitions
(abstract_class_declaration) @class
(interface_declaration) @interface
(type_alias_declaration) @type
(enum_declaration) @enum
(internal_module) @namespace
(module name: (_) body: (_)) @namespace
(function_signature) @function_signature
[(method_signature) (abstract_method_signature)] @method_signature
(public_field_definition) @field
(interface_body (property_signature) @field)
(type_alias_declaration value: (object_type (property_signature) @field))
(type_alias_declaration value: (intersection_type (object_type (property_signature) @field)))
(required_parameter [(accessibility_modifier) (override_modifier) "readonly"] pattern: (identifier)) @parameter_field
(optional_parameter [(accessibility_modifier) (override_modifier) "readonly"] pattern: (identifier)) @parameter_field
(enum_body [name: (_) @variant (enum_assignment name: (_) @variant)])
(internal_module body: (statement_block [
  (lexical_declaration (variable_declarator) @declared)
  (export_statement declaration: (lexical_declaration (variable_declarator) @declared))]))
(ambient_declaration (_ (variable_declarator) @declared))
(ambient_declaration (statement_block (_ (variable_declarator) @declared)))
(program (expression_statement (assignment_expression left: (member_expression) right: [
  (as_expression) (satisfies_expression)]) @assigned_value))
(export_statement value: [(as_expression) (satisfies_expression) (non_null_expression)] @default_value)
(export_statement value: [(as_expression . (object)) (satisfies_expression . (object))]) @default
(export_statement "=" . [(identifier) (object) (member_expression)] @whole)
(import_alias) @import_alias

; Local types
(variable_declarator name: (identifier) type: (type_annotation)) @bound
(type_parameter constraint: (constraint)) @type_parameter
(type_parameter name: (_) @parameter_name)
(required_parameter pattern: [(identifier) (this) (rest_pattern)] type: (type_annotation)) @parameter
(optional_parameter pattern: (identifier) type: (type_annotation)) @parameter
(required_parameter pattern: (object_pattern) type: (type_annotation)) @apart_parameter
(required_parameter pattern: (identifier) type: (type_annotation (function_type))) @callback
(optional_parameter pattern: (identifier) type: (type_annotation (function_type))) @callback
(required_parameter pattern: (identifier) @given !type)
(arrow_function parameter: (identifier) @given)
(return_statement [(as_expression (object)) (satisfies_expression (object))] @returned)
(call_expression function: (identifier) @guard arguments: (arguments . [(identifier) (member_expression)] .)
  (#match? @guard "^[$]?is[A-Z]")) @tested
(parenthesized_expression (as_expression)) @tested
(parenthesized_expression (_ . (type_arguments))) @tested
(variable_declarator name: (identifier) !type value: (as_expression)) @bound
(variable_declarator name: (identifier) !type value: (non_null_expression)) @bound
(required_parameter pattern: (identifier) !type value: (new_expression)) @parameter
(return_statement (non_null_expression (call_expression function: (_) @context)) @returned
  (#any-of? @context "useContext" "React.useContext"))
(arrow_function body: (non_null_expression (call_expression function: (_) @context)) @returned
  (#any-of? @context "useContext" "React.useContext"))
