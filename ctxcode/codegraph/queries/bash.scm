(comment) @comment

; Definitions
(function_definition name: (_) @name body: (_) @body) @function
(command name: (command_name) @word argument: (concatenation . (word) @name) (#eq? @word "alias")) @type
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)

; References
(command name: (command_name [(word) @called (string . (string_content) @called .)]))
(command name: (command_name) @word . argument: (word) @called
  (#any-of? @word "compdef" "coproc" "eval" "run" "time" "trap"))
(command name: (command_name) @word argument: (word) @_option . argument: (word) @called
  (#any-of? @word "complete" "compgen") (#eq? @_option "-F"))
(command name: (command_name) @word . argument: (word) @_hook . argument: (word) @called
  (#eq? @word "add-zsh-hook") (#not-match? @_hook "^-"))
(command name: (command_name) @word argument: (_) (#any-of? @word "source" ".")) @import
