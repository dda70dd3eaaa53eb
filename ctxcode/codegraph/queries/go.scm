(comment) @comment

; Definitions
(package_clause) @package
(function_declaration) @function
(method_declaration) @method
[(type_spec) (type_alias)] @type
(type_spec type: (struct_type (field_declaration_list (field_declaration) @member)))
(type_spec type: (interface_type (method_elem) @interface_method))
(source_file (const_declaration (const_spec) @constant))
(source_file (var_declaration (var_spec) @variable))
(source_file (var_declaration (var_spec_list (var_spec) @variable)))
(short_var_declaration left: (expression_list . (identifier) .) right: (expression_list . (func_literal) .)) @closure

; References
(call_expression function: [(identifier) (selector_expression)] @callee)
(call_expression function: (index_expression operand: [(identifier) (selector_expression)] @callee))
(type_conversion_expression type: (generic_type type: [(type_identifier) (qualified_type)] @callee))
(composite_literal type: [(type_identifier) (qualified_type)] @callee)
(composite_literal type: (generic_type type: [(type_identifier) (qualified_type)] @callee))
(import_spec) @import
(composite_literal) @literal

; Local types
(parameter_declaration name: (identifier)) @parameter
(field_declaration) @field
(var_spec) @bound
(short_var_declaration) @short
(type_switch_statement alias: (expression_list . (identifier) .)) @switch
(range_clause) @range
(receive_statement left: (expression_list . (_))) @received
(variadic_parameter_declaration name: (identifier)) @variadic
