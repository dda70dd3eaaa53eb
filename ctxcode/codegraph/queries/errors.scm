; What a parser could not make sense of; counted in every language.
(ERROR) @error
(MISSING) @error
