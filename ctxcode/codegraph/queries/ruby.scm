(comment) @comment

; Definitions
(module name: (_) @name) @namespace
(class name: (_) @name superclass: (_)? @head) @class
(method name: (_) @name parameters: (_)? @head) @function
(singleton_method name: (_) @name parameters: (_)? @head) @function
(body_statement (assignment left: (constant) @name) @constant)
(program (assignment left: (constant) @name) @constant)
(call method: (identifier) @word arguments: (argument_list (simple_symbol) @name)
  (#any-of? @word "attr_accessor" "attr_reader" "attr_writer")) @field
(call method: (identifier) @word arguments: (argument_list . (simple_symbol) @name) (#eq? @word "define_method")) @method
(call method: (identifier) @word arguments: (argument_list . (simple_symbol) @name) (#eq? @word "alias_method")) @method
(alias name: (_) @name) @method

; References
(call receiver: (_)? @receiver method: [(identifier) (constant)] @called)
(body_statement (identifier) @access (#any-of? @access "private" "protected" "public"))
(class name: (_) @heir superclass: (superclass [(constant) (scope_resolution)] @base))
([(class name: (_) @heir body: (body_statement (call method: (identifier) @word arguments: (argument_list
  [(constant) (scope_resolution)] @base)))) (module name: (_) @heir body: (body_statement (call method: (identifier) @word
  arguments: (argument_list [(constant) (scope_resolution)] @base))))] (#any-of? @word "include" "extend" "prepend"))
(call method: (identifier) @word arguments: (argument_list . (string)) (#any-of? @word "require" "require_relative"
  "load")) @import
(call method: (identifier) @word arguments: (argument_list . (simple_symbol) . (string)) (#eq? @word "autoload")) @import

; Local types
(assignment left: [(identifier) (instance_variable)] @bound
  right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @maker))
