; Python. Captures are whole nodes; their byte spans give the nesting.

(decorated_definition) @decorated
(function_definition) @function
(class_definition) @class
(lambda) @lambda
[ (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression) ] @comprehension
(assignment) @assign
(type_alias_statement) @alias
[ (global_statement) (nonlocal_statement) ] @outer
[ (import_statement) (import_from_statement) (future_import_statement) ] @import

[ (for_statement) (for_in_clause) ] @loop
(as_pattern) @as
(class_pattern) @tested
(return_statement (_) @return)
(yield (_) @yield)
(for_statement left: (identifier) @bind)
(for_in_clause left: (identifier) @bind)
(pattern_list (identifier) @bind)
(tuple_pattern (identifier) @bind)
(list_pattern (identifier) @bind)
(list_splat_pattern (identifier) @bind)
(as_pattern_target (identifier) @bind)
(as_pattern_target (tuple (identifier) @bind))
(named_expression name: (identifier) @bind)
(case_pattern (dotted_name . (identifier) @bind .))
(keyword_pattern (dotted_name . (identifier) @bind .))
(splat_pattern (identifier) @bind)
(as_pattern (case_pattern) (identifier) @bind)
(augmented_assignment left: (identifier) @bind)
(delete_statement (identifier) @bind)

(call) @call
(decorator [(identifier) (attribute)] @decorator)
(decorator [(call) (identifier) (attribute)] @applied)

; What calls a method without naming it.
(comparison_operator) @compared
[ (binary_operator) (augmented_assignment) ] @operated
(unary_operator) @unary
(subscript) @indexed
(with_item) @entered
(await) @waited
(interpolation) @formatted
(if_statement condition: [(identifier) (attribute)] @truth)
(elif_clause condition: [(identifier) (attribute)] @truth)
(while_statement condition: [(identifier) (attribute)] @truth)
(not_operator argument: [(identifier) (attribute)] @truth)
(boolean_operator left: [(identifier) (attribute)] @truth)
(boolean_operator left: (boolean_operator right: [(identifier) (attribute)] @truth))
(if_statement condition: (boolean_operator right: [(identifier) (attribute)] @truth))
(conditional_expression . (_) . [(identifier) (attribute)] @truth)
(assert_statement . [(identifier) (attribute)] @truth)

; Names used as values.
(argument_list (identifier) @value)
(keyword_argument value: (identifier) @value)
(assignment right: (identifier) @value)
(return_statement (identifier) @value)
(list (identifier) @value)
(tuple (identifier) @value)
(set (identifier) @value)
(pair (identifier) @value)
(expression_list (identifier) @value)
(attribute object: (identifier) @value)
(subscript (identifier) @value)
(binary_operator (identifier) @value)
(unary_operator (identifier) @value)
(boolean_operator (identifier) @value)
(not_operator (identifier) @value)
(comparison_operator (identifier) @value)
(conditional_expression (identifier) @value)
(parenthesized_expression (identifier) @value)
(interpolation (identifier) @value)
(lambda body: (identifier) @value)
(default_parameter value: (identifier) @value)
(typed_default_parameter value: (identifier) @value)
(if_statement condition: (identifier) @value)
(for_statement right: (identifier) @value)
(for_in_clause right: (identifier) @value)
(raise_statement (identifier) @value)
(except_clause (identifier) @value)
(list_splat (identifier) @value)
(dictionary_splat (identifier) @value)
(yield (identifier) @value)
(as_pattern . (identifier) @value)
(class_pattern (dotted_name . (identifier) @value))
(case_pattern (dotted_name . (identifier) @value . (identifier)))
(union_pattern (dotted_name . (identifier) @value . (identifier)))
(dict_pattern (dotted_name . (identifier) @value . (identifier)))
(keyword_pattern (dotted_name . (identifier) @value . (identifier)))

; Uses of members. A member that is called starts where its call starts, which is visited first.
(assignment left: (attribute) @write)
(augmented_assignment left: (attribute) @write)
(pattern_list (attribute) @write)
(delete_statement (attribute) @write)
(attribute) @access

; In patterns of `case`, dotted names are values.
(class_pattern (dotted_name . (identifier) . (identifier)) @access)
(case_pattern (dotted_name . (identifier) . (identifier)) @access)
(union_pattern (dotted_name . (identifier) . (identifier)) @access)
(dict_pattern (dotted_name . (identifier) . (identifier)) @access)
(keyword_pattern (dotted_name . (identifier) . (identifier)) @access)
