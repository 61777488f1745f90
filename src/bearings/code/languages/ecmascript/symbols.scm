; Captures that TypeScript, TSX and JavaScript share. They are whole nodes; their byte spans give the nesting.

[ (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition) ] @function
[ (class_declaration) (class) ] @class
[ (statement_block) (for_statement) (for_in_statement) (switch_body) (catch_clause) ] @block

(lexical_declaration kind: "const" (variable_declarator) @const)
(lexical_declaration kind: "let" (variable_declarator) @let)
(variable_declaration (variable_declarator) @let)
(assignment_expression left: [(identifier) (member_expression) (subscript_expression) (object_pattern)]) @assign
(augmented_assignment_expression left: (member_expression) operator: ["??=" "||="]) @assign
(pair value: [ (function_expression) (generator_function) (arrow_function) (class) (object)
               (parenthesized_expression) ]) @pair

(arrow_function parameter: (identifier) @bind)
(shorthand_property_identifier_pattern) @bind
(pair_pattern value: (identifier) @bind)
(array_pattern (identifier) @bind)
(rest_pattern (identifier) @bind)
(assignment_pattern left: (identifier) @bind)
(for_in_statement kind: _ left: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)

(import_statement) @import
(export_statement) @export
(call_expression) @call
(new_expression) @new
(decorator [(identifier) (member_expression)] @decorator)
(decorator (call_expression function: (identifier) @decorating))
(for_in_statement kind: _ left: _) @loop
(return_statement (_) @return)
(yield_expression (_) @yield)

; What calls a method without naming it.
(for_in_statement operator: "of" right: [(identifier) (this) (member_expression) (call_expression) (new_expression) (subscript_expression) (await_expression)
                                         (parenthesized_expression)] @iterated)
(array (spread_element [(identifier) (this) (member_expression) (call_expression) (new_expression) (subscript_expression) (parenthesized_expression)] @spread))
(arguments (spread_element [(identifier) (this) (member_expression) (call_expression) (new_expression) (subscript_expression) (parenthesized_expression)] @spread))
(yield_expression "*" (_) @delegated)
(template_substitution [(identifier) (this) (member_expression) (call_expression)] @formatted)
(binary_expression left: [(string) (template_string)] "+") @summed
(binary_expression left: [(identifier) (this) (member_expression) (call_expression)] "+"
                   right: [(string) (template_string)]) @summed
(binary_expression left: [(identifier) (this) (member_expression) (call_expression)] [ "-" "<" ">" "<=" ">=" ]
                   right: [(identifier) (this) (member_expression) (call_expression)]) @compared
(unary_expression "+" argument: [(identifier) (member_expression) (call_expression)]) @compared

"instanceof" @instanceof
(binary_expression "in" @in)
[ (if_statement condition: (parenthesized_expression (member_expression) @truthy))
  (ternary_expression condition: (member_expression) @truthy) (unary_expression "!" (member_expression) @truthy)
  (binary_expression left: (member_expression) @truthy [ "&&" "||" ]) ]
(binary_expression left: (member_expression) [ "===" "!==" "==" "!=" ] @equals)
(switch_statement value: (parenthesized_expression (member_expression))) @switch

; Names used as values. Operands come from @m.binary instead, because a pattern for the right operand stays open at
; every level of `a + b + …`, which costs the square of its length.
(arguments (identifier) @value)
(pair value: (identifier) @value)
(shorthand_property_identifier) @value
(array (identifier) @value)
(spread_element (identifier) @value)
(variable_declarator value: (identifier) @value)
(assignment_expression right: (identifier) @value)
(return_statement (identifier) @value)
(arrow_function body: (identifier) @value)
(unary_expression (identifier) @value)
(ternary_expression (identifier) @value)
(template_substitution (identifier) @value)
(member_expression object: (identifier) @value)
(subscript_expression (identifier) @value)
(parenthesized_expression (identifier) @value)
(for_in_statement right: (identifier) @value)
(computed_property_name (identifier) @value)
(assignment_pattern right: (identifier) @value)
(object_assignment_pattern right: (identifier) @value)

; Uses of members. A member that is called starts where its call starts, which is visited first.
(assignment_expression left: (member_expression) @write)
(augmented_assignment_expression left: (member_expression) @write)
(update_expression argument: (member_expression) @write)
(member_expression) @access
(assignment_expression left: (subscript_expression index: (string)) @write)
(subscript_expression index: (string)) @element
