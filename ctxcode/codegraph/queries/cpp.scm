(template_declaration (function_definition declarator: (_) @declarator body: (_) @body)) @function
(template_declaration (class_specifier name: (_) @name body: (_) @body)) @class
(template_declaration (struct_specifier name: (_) @name body: (_) @body)) @struct
(template_declaration (alias_declaration name: (_) @name)) @type
(function_definition declarator: (_) @declarator) @function
(class_specifier name: (_) @name body: (_) @body) @class
(alias_declaration name: (_) @name) @type
(template_declaration (declaration declarator: (_) @declarator)) @variable
(concept_definition name: (_) @name) @type
(namespace_alias_definition name: (_) @name) @type
(namespace_definition name: (_) @name body: (_) @body) @namespace
(field_declaration_list (declaration declarator: (_) @declarator) @method)
(field_declaration_list (template_declaration (declaration declarator: (_) @declarator)) @method)
(access_specifier) @access

; References
(call_expression function: (_) @callee) @call
(new_expression type: (_) @made)
(enum_specifier ["class" "struct"] @part name: (_) @heir)
(class_specifier name: (_) @heir (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(struct_specifier name: (_) @heir (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))

; Local types
(declaration type: [(qualified_identifier) (template_type)] @type declarator: (_) @bound)
(declaration declarator: (init_declarator declarator: (_) @bound value: (new_expression type: (_) @type)))
(parameter_declaration type: [(qualified_identifier) (template_type)] @type declarator: (_) @parameter)
(field_declaration type: [(qualified_identifier) (template_type)] @type declarator: (_) @member)
(function_definition type: [(qualified_identifier) (template_type)] @type declarator: (_) @returned)
(type_definition type: [(qualified_identifier) (template_type)] @type declarator: (_) @returned)
(namespace_alias_definition name: (_) @space)
(namespace_alias_definition name: (_) @returned [(namespace_identifier) (nested_namespace_specifier)] @type)
(alias_declaration name: (_) @returned type: (type_descriptor type: [
  (type_identifier) (qualified_identifier) (template_type)
] @type))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator
  declarator: (_) @bound_all value: (_) @value_all))
(declaration type: (placeholder_type_specifier) declarator: (_) @bound_all value: (_) @value_all)
(for_range_loop type: (placeholder_type_specifier) declarator: (_) @bound_all right: (_) @value_all)
(for_range_loop type: [(type_identifier) (qualified_identifier) (template_type)] @type declarator: (_) @bound)
(declaration declarator: (_) @tested)
(parameter_declaration declarator: (_) @tested)
(for_range_loop declarator: (_) @tested)
(template_declaration [(alias_declaration) (class_specifier) (function_definition) (struct_specifier)]) @tested
(using_declaration) @tested
(base_class_clause [(template_type) (qualified_identifier name: (template_type))]) @tested

; What a macro before its name turns a class into, or before it an unnamed namespace
(function_definition type: [(class_specifier !body) (struct_specifier !body) (type_identifier)]
  declarator: (identifier)) @misread
