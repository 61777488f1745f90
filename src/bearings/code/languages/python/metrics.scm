; Captures of metrics and marks for Python: branches, comments, decorators, handlers.

(if_statement) @m.if
(if_statement alternative: (else_clause) @m.else)
(for_statement alternative: (else_clause) @m.loopelse)
(while_statement alternative: (else_clause) @m.loopelse)
(try_statement (else_clause) @m.decision)
(elif_clause) @m.elif
[ (for_statement) (while_statement) ] @m.loop
(match_statement) @m.switch
(except_clause) @m.catch
(try_statement) @m.try
(with_statement) @m.with
(conditional_expression) @m.ternary
(boolean_operator) @m.logical
(assert_statement) @m.decision
(list_comprehension [ (for_in_clause) (if_clause) ] @m.decision)
(set_comprehension [ (for_in_clause) (if_clause) ] @m.decision)
(dictionary_comprehension [ (for_in_clause) (if_clause) ] @m.decision)
(generator_expression [ (for_in_clause) (if_clause) ] @m.decision)
(function_definition body: (block . (expression_statement (string)) @m.comment))
(raise_statement) @m.raise
(decorator) @m.decorator
(comment) @m.comment
