; Captures of metrics and marks for Go.

(if_statement) @m.if
(if_statement alternative: (block) @m.elseblock)
(if_statement alternative: (if_statement) @m.elseif)
(if_statement condition: (binary_expression left: (identifier) right: (nil))) @m.check
(for_statement) @m.loop
[ (expression_switch_statement) (type_switch_statement) (select_statement) ] @m.switch
[ (expression_case) (type_case) (communication_case) ] @m.case
[ (expression_case) (type_case) (communication_case) (default_case) ] @m.inside
(binary_expression operator: [ "&&" "||" ]) @m.logical
(goto_statement) @m.jump
(break_statement (label_name)) @m.jump
(continue_statement (label_name)) @m.jump
(comment) @m.comment
