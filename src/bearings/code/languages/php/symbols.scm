; PHP. The captures are described in languages/shared/declared.py.

(namespace_definition) @package
(namespace_use_declaration) @import
[ (require_expression (string) @import) (require_once_expression (string) @import) ]
[ (include_expression (string) @import) (include_once_expression (string) @import) ]

(class_declaration name: (name) @name) @definition.class
(trait_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.property
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_promotion_parameter name: (variable_name (name) @name)) @definition.property
(const_declaration (const_element . (name) @name)) @definition.constant

(base_clause [ (name) @extends (qualified_name (name) @extends .) ])
(class_interface_clause [ (name) @implements (qualified_name (name) @implements .) ])
(declaration_list (use_declaration [ (name) @implements (qualified_name (name) @implements .) ]))

(function_call_expression function: [ (name) @call (qualified_name (name) @call .) ])
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [ (name) @new (qualified_name (name) @new .) ])
(named_type [ (name) @type (qualified_name (name) @type .) ])
(attribute [ (name) @type (qualified_name (name) @type .) ])
(scoped_call_expression scope: [ (name) @type (qualified_name (name) @type .) ])
(scoped_property_access_expression scope: [ (name) @type (qualified_name (name) @type .) ])
(class_constant_access_expression . [ (name) @type (qualified_name (name) @type .) ])
(binary_expression operator: "instanceof" right: [ (name) @type (qualified_name (name) @type .) ])
(namespace_use_clause . [ (name) @type (qualified_name (name) @type .) ])
(subscript_expression . (variable_name) @environment)
(name) @reference

[
  (comment) (use_declaration) (assignment_expression) (foreach_statement) (catch_clause) (anonymous_function)
  (arrow_function) (return_statement)
] @row
(binary_expression operator: "instanceof") @row
(anonymous_class body: (declaration_list) @row)
(array_creation_expression . (array_element_initializer (_)) . (array_element_initializer (string (string_content) @row)) .)

; Complexity and marks.

[ (function_definition) (method_declaration) (anonymous_function) (arrow_function) ] @function
(if_statement) @m.if
(if_statement body: (_) @m.inside)
(else_if_clause) @m.elif
(else_if_clause body: (_) @m.inside)
(else_clause) @m.else
[ (for_statement) (foreach_statement) (while_statement) (do_statement) ] @m.loop
[ (switch_statement) (match_expression) ] @m.switch
[ (case_statement) (match_conditional_expression) ] @m.case
(catch_clause) @m.catch
(try_statement) @m.try
(conditional_expression) @m.ternary
(conditional_expression body: (_) @m.inside)
(binary_expression operator: [ "&&" "||" "??" "and" "or" ]) @m.logical
(augmented_assignment_expression operator: "??=") @m.decision
(break_statement (integer)) @m.jump
(continue_statement (integer)) @m.jump
(goto_statement) @m.jump
(comment) @m.comment
(throw_expression) @m.raise
(attribute) @m.decorator
