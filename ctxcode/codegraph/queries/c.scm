(function_definition declarator: (_) @declarator) @function
