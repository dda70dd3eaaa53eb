(function_definition declarator: (_) @declarator) @function
(call_expression function: (_) @callee)

; What becomes of a pointer's function whose parameters are declared behind it
(translation_unit (declaration declarator: (pointer_declarator)) @misread . (compound_statement))
