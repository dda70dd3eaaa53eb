[(comment) (block_comment)] @comment
(annotation) @decorator

; Definitions
(package_clause name: (_) @package body: (_))
(package_clause name: (_) @clause !body)
(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @companion)
(package_object name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @trait
(enum_definition name: (_) @name body: (_) @body) @enum
(simple_enum_case name: (_) @name) @variant
(full_enum_case name: (_) @name) @variant
(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(type_definition name: (_) @name) @type
(given_definition name: (_) @name) @variable
(class_parameter ["val" "var"] name: (_) @name) @field
(class_definition "case" name: (_) . [(type_parameters) (access_modifier) (annotation)]* . (class_parameters
  (class_parameter name: (_) @name) @field))
(template_body [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @field)
(template_body [(val_declaration name: (_) @name) (var_declaration name: (_) @name)] @field)
(compilation_unit [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @variable)

; References
(case_class_pattern type: [(type_identifier) (stable_type_identifier)] @used)
(call_expression function: [(identifier) (field_expression)] @callee)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @callee))
(instance_expression [(type_identifier) (generic_type) (stable_type_identifier)] @made)
[(field_expression) (infix_expression)] @asking
(import_declaration) @import
(class_definition name: (_) @heir
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(object_definition name: (_) @heir
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(trait_definition name: (_) @heir
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(enum_definition name: (_) @heir
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(package_object name: (_) @heir
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(full_enum_case name: (_) @heir
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))

; Local types
(function_definition name: (_) @returned return_type: [(type_identifier) (generic_type) (stable_type_identifier)] @type)
(function_declaration name: (_) @returned return_type: [(type_identifier) (generic_type) (stable_type_identifier)] @type)
(val_definition pattern: (identifier) @bound value: [(call_expression) (field_expression)] @value)
(template_body (_ pattern: (identifier) @member value: [(call_expression) (field_expression)] @value))
(val_definition !type pattern: (identifier) @bound value: [(if_expression) (match_expression)] @value)
(template_body (_ !type pattern: (identifier) @member value: [(if_expression) (match_expression)] @value))
(typed_pattern pattern: (identifier) @bound type: [(type_identifier) (generic_type)] @type)
(parameter name: (_) @parameter type: [(type_identifier) (generic_type) (stable_type_identifier)] @type)
(parameter name: (_) @parameter
  type: (lazy_parameter_type [(type_identifier) (generic_type) (stable_type_identifier)] @type))
(parameter name: (_) @parameter type: (repeated_parameter_type) @type)
(class_parameter name: (_) @member
  type: (lazy_parameter_type [(type_identifier) (generic_type) (stable_type_identifier)] @type))
(class_parameter name: (_) @member type: (repeated_parameter_type) @type)
(class_parameter name: (_) @member type: [(type_identifier) (generic_type) (stable_type_identifier)] @type)
(template_body (_ pattern: (identifier) @member type: [(type_identifier) (generic_type)] @type))
(template_body (_ pattern: (identifier) @member value: (instance_expression [(type_identifier) (generic_type)] @type)))
(val_definition pattern: (identifier) @bound type: [(type_identifier) (generic_type)] @type)
(val_definition pattern: (identifier) @bound value: (instance_expression [(type_identifier) (generic_type)] @type))
((template_body (_ name: (identifier) @member type: [(type_identifier) (generic_type) (stable_type_identifier)] @type))
  ; What has a capital may be an object in an heir.
  (#match? @member "^[a-z_]"))
(val_definition pattern: (identifier) @declared)

; What stands for each of what something holds: what is in them is looked at later, for chains are long
(call_expression function: (field_expression)) @tested
[(infix_expression) (for_expression) (match_expression)] @tested
(type_parameters) @tested
(case_clause pattern: [(alternative_pattern) (capture_pattern) (case_class_pattern) (infix_pattern) (tuple_pattern)])
  @tested
(val_definition pattern: [(capture_pattern) (case_class_pattern) (infix_pattern) (tuple_pattern)]) @tested
(lambda_expression parameters: (bindings)) @tested
(class_definition "case" class_parameters: (class_parameters)) @tested
