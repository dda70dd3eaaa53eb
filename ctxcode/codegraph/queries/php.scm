(comment) @comment
(attribute_list) @decorator

; Definitions
(namespace_definition name: (_) @package)
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @trait
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_case name: (_) @name) @variant
(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @method
(property_declaration (property_element name: (variable_name) @name)) @field
(property_promotion_parameter name: (variable_name) @name) @field
(const_declaration (const_element . (name) @name)) @constant
(function_call_expression function: (name) @word arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @word "define")) @constant
(program (expression_statement (assignment_expression left: (variable_name) @name) @variable))

; References
(class_constant_access_expression . (relative_scope)) @used
((array_creation_expression . (array_element_initializer . [(variable_name (name) @word)
  (class_constant_access_expression (_) . (name) @word)] .) . (array_element_initializer . [(string) (encapsed_string)] .)
  .) @used (#any-of? @word "this" "class"))
(function_call_expression function: (name) @word
  arguments: (arguments . (argument [(string) (encapsed_string) (array_creation_expression)] @used))
  (#any-of? @word "array_map" "call_user_func" "call_user_func_array" "forward_static_call" "ob_start"
    "register_shutdown_function" "set_error_handler" "set_exception_handler" "spl_autoload_register"))
(function_call_expression function: (name) @word
  arguments: (arguments . (argument) . (argument [(string) (encapsed_string) (array_creation_expression)] @used))
  (#any-of? @word "add_action" "add_filter" "add_shortcode" "array_filter" "array_reduce" "array_walk" "iterator_apply"
    "preg_replace_callback" "register_activation_hook" "register_deactivation_hook" "register_uninstall_hook"
    "remove_action" "remove_filter" "uasort" "uksort" "usort"))
(object_creation_expression [(name) @word (qualified_name (name) @word)]
  (arguments . (argument) . (argument [(string) (encapsed_string)] @used))
  (#any-of? @word "CallbackFilterIterator" "TwigFilter" "TwigFunction" "TwigTest"))
(function_call_expression function: [(name) (qualified_name)] @callee)
(member_call_expression object: (_) @receiver name: (name) @called)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @called)
(scoped_call_expression scope: (_) @receiver name: (name) @called)
(object_creation_expression [(name) (qualified_name)] @made)
(namespace_use_declaration) @import
[(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @import
(class_declaration name: (name) @heir (base_clause [(name) (qualified_name)] @base))
(interface_declaration name: (name) @heir (base_clause [(name) (qualified_name)] @base))
(class_declaration name: (name) @heir (class_interface_clause [(name) (qualified_name)] @base))
(enum_declaration name: (name) @heir (class_interface_clause [(name) (qualified_name)] @base))
(class_declaration name: (_) @heir
  body: (declaration_list (use_declaration [(name) (qualified_name)] @base) @copied))
(enum_declaration name: (_) @heir
  body: (enum_declaration_list (use_declaration [(name) (qualified_name)] @base) @copied))
(trait_declaration name: (_) @heir
  body: (declaration_list (use_declaration [(name) (qualified_name)] @base) @copied))
(trait_declaration body: (declaration_list (method_declaration (abstract_modifier) name: (_) @left)))

; Local types
(simple_parameter type: (_) @type name: (_) @parameter)
(variadic_parameter type: (_) name: (_) @parameter) @type
(property_promotion_parameter type: (_) @type name: (_) @member)
(property_declaration type: (_) @type (property_element name: (_) @member))
(assignment_expression left: (variable_name) @bound right: (object_creation_expression
  [(name) (qualified_name)] @type))
(assignment_expression left: (variable_name) @bound right: [(member_call_expression) (nullsafe_member_call_expression)
  (scoped_call_expression) (function_call_expression) (member_access_expression) (clone_expression)
  (subscript_expression) (variable_name) (conditional_expression) (binary_expression "??")
  (class_constant_access_expression)] @value)
(enum_declaration name: (_) @type body: (enum_declaration_list (enum_case name: (_) @member)))
(use_as_clause . [(name) @value (class_constant_access_expression (_) (name) @value .)] (name) @member .)
(assignment_expression left: (member_access_expression object: (variable_name (name) @this) name: (_) @member)
  right: [(variable_name) (binary_expression "??" right: (object_creation_expression))] @value (#eq? @this "this"))
(foreach_statement . (_) @value . (variable_name) @element)
(foreach_statement . (_) @value . (pair (_) (variable_name) @element))
(catch_clause type: (type_list . (named_type) @type .) name: (_) @parameter)
(return_statement) @gives
(method_declaration name: (_) @returned return_type: (_) @type)
(function_definition name: (_) @returned return_type: (_) @type)
(assignment_expression left: (member_access_expression object: (variable_name (name) @this) name: (_) @member)
  right: (object_creation_expression [(name) (qualified_name)] @type) (#eq? @this "this"))
"instanceof" @tested
