; Captures of metrics and marks for TypeScript, TSX and JavaScript: branches, jumps, comments, decorators, handlers.

(if_statement) @m.if
(else_clause) @m.else
[ (for_statement) (for_in_statement) (while_statement) (do_statement) ] @m.loop
(switch_statement) @m.switch
(switch_case) @m.case
(catch_clause) @m.catch
(try_statement) @m.try
(ternary_expression) @m.ternary
(binary_expression) @m.binary
(augmented_assignment_expression operator: ["&&=" "||=" "??="]) @m.decision
(assignment_pattern) @m.decision
(object_assignment_pattern) @m.decision
(break_statement label: (_)) @m.jump
(continue_statement label: (_)) @m.jump
(class_static_block) @m.barrier
(throw_statement) @m.raise
(decorator) @m.decorator
(comment) @m.comment
