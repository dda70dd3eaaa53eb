; Lower-case names that a file which is included may define: types, and what is none of a function's own.
(type_identifier) @bare_type
(identifier) @bare_value

; What is called is told otherwise, and what compilers are told is no code.
(call_expression function: (identifier) @bare_other)
(attribute_specifier (argument_list (_) @bare_apart))
(preproc_params (identifier) @bare_other)
(preproc_def name: (identifier) @bare_other)
(preproc_function_def name: (identifier) @bare_other)
(preproc_ifdef name: (identifier) @bare_other)
(preproc_defined (identifier) @bare_other)

(parameter_declaration declarator: (identifier) @bare_bound)
(declaration declarator: (identifier) @bare_bound)
(init_declarator declarator: (identifier) @bare_bound)
(pointer_declarator declarator: (identifier) @bare_bound)
(array_declarator declarator: (identifier) @bare_bound)
(function_declarator declarator: (identifier) @bare_bound)
(parenthesized_declarator (identifier) @bare_bound)
(parameter_list (identifier) @bare_bound)
(enumerator name: (identifier) @bare_bound)
