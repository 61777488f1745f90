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

(call . method: (identifier) arguments: (argument_list . [ (constant) (scope_resolution) ])) @implements

[
  (assignment left: [ (identifier) @local (left_assignment_list (identifier) @local) ])
  (operator_assignment left: (identifier) @local)
  (method_parameters (identifier) @local)
  (block_parameters (identifier) @local)
  (lambda_parameters (identifier) @local)
  (destructured_parameter (identifier) @local)
  (optional_parameter name: (identifier) @local)
  (keyword_parameter name: (identifier) @local)
  (splat_parameter name: (identifier) @local)
  (hash_splat_parameter name: (identifier) @local)
  (block_parameter name: (identifier) @local)
  (exception_variable (identifier) @local)
  (for pattern: (identifier) @local)
]
(call method: [ (identifier) (constant) ] @call)
(identifier) @call
(constant) @reference
