; Paths that begin with another crate of the repository, which nothing brings into the file.
(scoped_identifier path: (identifier) @bare_head)
(scoped_type_identifier path: (identifier) @bare_head)
