; Ruby. The captures are described in languages/shared/declared.py.

(call method: (identifier) arguments: (argument_list . (string))) @import

(module name: (_) @name) @definition.class
(class name: (_) @name) @definition.class
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.function
(alias name: (_) @name) @definition.function
(call method: (identifier) arguments: (argument_list . (simple_symbol) @name)) @definition.function
(assignment left: (constant) @name) @definition.constant
(call method: (identifier) arguments: (argument_list (simple_symbol) @name)) @definition.property

(superclass [ (constant) @extends (scope_resolution name: (constant) @extends) ])
(body_statement (identifier) @visibility)

(call method: [ (identifier) (constant) ] @call)
(body_statement (identifier) @call)
(constant) @reference
