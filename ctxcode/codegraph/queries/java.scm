[(block_comment) (line_comment)] @comment
(modifiers [(annotation) (marker_annotation)] @decorator)

; Definitions
(package_declaration) @package
[(class_declaration) (record_declaration)] @class
[(interface_declaration) (annotation_type_declaration)] @interface
(enum_declaration) @enum
[(method_declaration) (constructor_declaration) (compact_constructor_declaration)
 (annotation_type_element_declaration)] @method
(interface_body (method_declaration) @public)
(annotation_type_body (annotation_type_element_declaration) @public)
[(field_declaration) (constant_declaration)] @field
(enum_constant) @variant

; References
(method_invocation) @invocation
(object_creation_expression type: (_) @created)
(explicit_constructor_invocation) @explicit
(object_creation_expression (class_body (method_declaration) @unnamed))
(method_reference) @method_reference
(import_declaration) @import
(switch_label (identifier) @label)

; Local types
(local_variable_declaration) @local
(formal_parameter) @parameter
(type_parameter) @parameterized
(record_declaration parameters: (formal_parameters (formal_parameter) @component))
[(enhanced_for_statement) (resource)] @typed
(lambda_expression parameters: (formal_parameters (formal_parameter) @typed))
(spread_parameter) @spread
(catch_formal_parameter) @caught
(instanceof_expression name: (identifier)) @tested
(lambda_expression) @lambda
[(type_pattern) (record_pattern_component)] @pattern
