; C#. The captures are described in languages/shared/declared.py.

(using_directive [ (qualified_name) (identifier) (generic_name) ] @import .)
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.property
(delegate_declaration name: (identifier) @name) @definition.type
(constructor_declaration name: (identifier) @name) @definition.constructor
(method_declaration name: (identifier) @name) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(indexer_declaration "this" @name) @definition.method
(operator_declaration "operator" . _ @name) @definition.method
(property_declaration name: (identifier) @name) @definition.property
(event_declaration name: (identifier) @name) @definition.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration (modifier "const")) @definition.constant
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.property))
(accessor_list) @body
(property_declaration (arrow_expression_clause) @body)
(indexer_declaration (arrow_expression_clause) @body)

(base_list [
  (identifier) @extends
  (generic_name . (identifier) @extends)
  (qualified_name name: [ (identifier) @extends (generic_name . (identifier) @extends) ])
  (primary_constructor_base_type type: [ (identifier) @extends (generic_name . (identifier) @extends) ])
])

(invocation_expression function: [
  (identifier) @call
  (generic_name . (identifier) @call)
  (member_access_expression name: [ (identifier) @call (generic_name . (identifier) @call) ])
  (conditional_access_expression
    (member_binding_expression name: [ (identifier) @call (generic_name . (identifier) @call) ]))
])
(object_creation_expression type: [
  (identifier) @new
  (generic_name . (identifier) @new)
  (qualified_name name: [ (identifier) @new (generic_name . (identifier) @new) ])
])
(generic_name . (identifier) @type)
[
  (variable_declaration type: (identifier) @type)
  (parameter type: (identifier) @type)
  (property_declaration type: (identifier) @type)
  (event_declaration type: (identifier) @type)
  (indexer_declaration type: (identifier) @type)
  (delegate_declaration type: (identifier) @type)
  (local_function_statement type: (identifier) @type)
  (method_declaration returns: (identifier) @type)
  (operator_declaration type: (identifier) @type)
  (foreach_statement type: (identifier) @type)
  (catch_declaration type: (identifier) @type)
  (cast_expression type: (identifier) @type)
  (typeof_expression type: (identifier) @type)
  (declaration_pattern type: (identifier) @type)
  (array_type type: (identifier) @type)
  (nullable_type type: (identifier) @type)
  (ref_type type: (identifier) @type)
  (scoped_type type: (identifier) @type)
  (tuple_element type: (identifier) @type)
  (declaration_expression type: (identifier) @type)
  (recursive_pattern type: (identifier) @type)
  (default_expression type: (identifier) @type)
  (as_expression right: (identifier) @type)
  (conversion_operator_declaration type: (identifier) @type)
  (type_parameter_constraint type: (identifier) @type)
  (type_argument_list (identifier) @type)
  (explicit_interface_specifier (identifier) @type)
  (alias_qualified_name name: (identifier) @type)
]
(attribute name: (identifier) @type)
(identifier) @reference

[
  (foreach_statement) (catch_declaration) (declaration_pattern) (recursive_pattern) (var_pattern)
  (declaration_expression) (from_clause) (let_clause) (join_clause) (lambda_expression) (anonymous_method_expression)
] @row
(local_declaration_statement (variable_declaration) @row)
(for_statement (variable_declaration) @row)
(using_statement (variable_declaration) @row)
(fixed_statement (variable_declaration) @row)
(assignment_expression left: (tuple_expression)) @row

; Complexity and marks.

[
  (method_declaration) (constructor_declaration) (destructor_declaration) (operator_declaration) (indexer_declaration)
  (conversion_operator_declaration) (property_declaration) (event_declaration) (local_function_statement)
  (lambda_expression) (anonymous_method_expression)
] @function
(if_statement) @m.if
(if_statement alternative: (if_statement) @m.elseif)
(if_statement alternative: [
  (block) (expression_statement) (return_statement) (throw_statement) (yield_statement) (break_statement)
  (continue_statement) (for_statement) (foreach_statement) (while_statement) (switch_statement) (using_statement)
] @m.elseblock)
[ (for_statement) (foreach_statement) (while_statement) (do_statement) ] @m.loop
[ (switch_statement) (switch_expression) ] @m.switch
(switch_section "case") @m.case
(switch_expression_arm . [
  (constant_pattern) (declaration_pattern) (recursive_pattern) (relational_pattern) (and_pattern) (or_pattern)
  (negated_pattern) (type_pattern) (list_pattern) (var_pattern) (parenthesized_pattern)
]) @m.case
(switch_expression_arm) @m.inside
(catch_clause) @m.catch
(try_statement) @m.try
(using_statement) @m.with
(conditional_expression) @m.ternary
(binary_expression operator: [ "&&" "||" "??" ]) @m.logical
(goto_statement) @m.jump
(comment) @m.comment
[ (throw_statement) (throw_expression) ] @m.raise
(attribute) @m.decorator
