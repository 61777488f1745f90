; Python. Captures are whole nodes; nesting is found by byte interval.

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
(return_statement (_) @return)
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
