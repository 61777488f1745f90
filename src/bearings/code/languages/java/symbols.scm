; Java. The captures are described in languages/shared/declared.py.

(package_declaration [ (scoped_identifier) (identifier) ] @package)
(import_declaration [ (scoped_identifier) (identifier) ] @import)

(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.property
(method_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(compact_constructor_declaration name: (identifier) @name) @definition.constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.property
(field_declaration (modifiers "static" "final")) @definition.constant
(field_declaration (modifiers "final" "static")) @definition.constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.property))

(superclass [ (type_identifier) @extends (generic_type . (type_identifier) @extends) ])
(super_interfaces (type_list [ (type_identifier) @implements (generic_type . (type_identifier) @implements) ]))
(extends_interfaces (type_list [ (type_identifier) @extends (generic_type . (type_identifier) @extends) ]))

(method_invocation name: (identifier) @call)
(method_reference (identifier) @new "new")
(method_reference (generic_type . (type_identifier) @new) "new")
(method_reference (identifier) @call .)
(object_creation_expression type: [
  (type_identifier) @new
  (generic_type . (type_identifier) @new)
  (scoped_type_identifier (type_identifier) @new .)
])

(type_identifier) @type
(annotation name: (identifier) @type)
(marker_annotation name: (identifier) @type)
(field_access field: (identifier) @reference)
(identifier) @reference

[
  (local_variable_declaration) (enhanced_for_statement) (catch_formal_parameter) (resource) (instanceof_expression)
  (type_pattern) (record_pattern_component) (lambda_expression)
] @row
(object_creation_expression (class_body) @row)
(lambda_expression body: (block (return_statement) @row))

; Complexity and marks.

[ (method_declaration) (constructor_declaration) (compact_constructor_declaration) (lambda_expression) ] @function
(if_statement) @m.if
(if_statement alternative: (if_statement) @m.elseif)
(if_statement alternative: [ (block) (expression_statement) (return_statement) (throw_statement) ] @m.elseblock)
[ (for_statement) (enhanced_for_statement) (while_statement) (do_statement) ] @m.loop
(switch_expression) @m.switch
(switch_label "case") @m.case
(catch_clause) @m.catch
[ (try_statement) (try_with_resources_statement) ] @m.try
(ternary_expression) @m.ternary
(binary_expression operator: [ "&&" "||" ]) @m.logical
(break_statement (identifier)) @m.jump
(continue_statement (identifier)) @m.jump
[ (line_comment) (block_comment) ] @m.comment
(throw_statement) @m.raise
[ (annotation) (marker_annotation) ] @m.decorator
