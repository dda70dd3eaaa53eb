[(line_comment) (block_comment)] @comment
(attribute_item) @decorator
(inner_attribute_item) @inner

; Definitions
[(function_item) (function_signature_item)] @function
(impl_item body: (declaration_list [(function_item) (const_item) (type_item)] @member))
(trait_item body: (declaration_list
  [(function_item) (function_signature_item) (const_item) (associated_type)] @trait_member))
(struct_item) @struct
(union_item) @struct
(enum_item) @enum
(trait_item) @trait
(type_item) @type
(mod_item) @mod
(macro_definition) @macro
(associated_type) @type
(source_file [(const_item) (static_item)] @constant)
(declaration_list [(const_item) (static_item)] @constant)
(block [(const_item) (static_item)] @constant)
(struct_item body: (field_declaration_list (field_declaration) @property))
(union_item body: (field_declaration_list (field_declaration) @property))
(enum_variant) @variant
(impl_item) @impl
(foreign_mod_item) @foreign

; References
(call_expression function: (identifier) @callee)
(call_expression function: (field_expression) @callee)
(call_expression function: (scoped_identifier) @path_callee)
(generic_function function: [(identifier) (field_expression)] @callee)
(generic_function function: (scoped_identifier) @path_callee)
(struct_expression name: [(type_identifier) (scoped_type_identifier)] @path_callee)
(use_declaration) @use
(extern_crate_declaration) @crate

[(macro_invocation macro: (_) @used_macro) (token_tree (identifier) @used_macro . "!" . (token_tree))]
(token_tree (identifier) @token . (token_tree))
(token_tree (identifier) @token . "::" . "<")

; Local types
(let_declaration) @let
(let_condition) @condition
(match_arm) @arm
(for_expression) @for
(closure_expression) @closure
(parameter) @parameter
(function_item return_type: (_) @returned)
(function_signature_item return_type: (_) @returned)
(type_item type: (_) @returned)
(associated_type bounds: (_) @associated)
(struct_item body: (ordered_field_declaration_list) @tuple)
[(type_parameter bounds: (_)) (where_predicate)] @bounded
(type_parameter) @type_parameter
