; Shared by C and C++.
(comment) @comment
(attribute_declaration) @decorator

; Definitions
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(function_definition declarator: (_) @declarator body: (_) @body) @function
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (_) @declarator) @struct
(type_definition type: (struct_specifier name: (_) @name body: (_) @body)) @struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (_) @declarator) @struct
(type_definition type: (union_specifier name: (_) @name body: (_) @body)) @struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (_) @declarator) @enum
(type_definition type: (enum_specifier name: (_) @name body: (_) @body)) @enum
(type_definition declarator: (_) @declarator) @type
(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @struct
(enum_specifier name: (_) @name body: (_) @body) @enum
(enumerator name: (_) @name) @variant
(field_declaration declarator: (_) @declarator) @field
(translation_unit (declaration declarator: (_) @declarator) @variable)
(preproc_ifdef (declaration declarator: (_) @declarator) @variable)
(preproc_if (declaration declarator: (_) @declarator) @variable)
(preproc_else (declaration declarator: (_) @declarator) @variable)
(preproc_elif (declaration declarator: (_) @declarator) @variable)
(declaration_list (declaration declarator: (_) @declarator) @variable)
(linkage_specification body: (declaration declarator: (_) @declarator) @function)
(ERROR (declaration declarator: (_) @declarator) @function)

; References
(preproc_include path: (_)) @import
(preproc_function_def value: (preproc_arg) @tested)
(preproc_def name: (identifier) @renamed value: (preproc_arg) @type)

; Local types
(declaration type: [(type_identifier) (struct_specifier)] @type declarator: (_) @bound)
(parameter_declaration type: [(type_identifier) (struct_specifier)] @type declarator: (_) @parameter)
(field_declaration type: [(type_identifier) (struct_specifier)] @type declarator: (_) @member)
(function_definition type: [(type_identifier) (struct_specifier)] @type declarator: (_) @returned)
(type_definition type: [(type_identifier) (struct_specifier !body)] @type declarator: (_) @returned)

; What a macro before it makes of a name in parentheses
(declaration declarator: (function_declarator declarator: (function_declarator))) @misread

; What a macro around it makes of a function
(function_definition !type declarator: (function_declarator parameters: (parameter_list
  . (parameter_declaration declarator: [(function_declarator) (pointer_declarator declarator: (function_declarator))])
  .))) @misread
