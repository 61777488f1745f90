; Go. Captures are whole nodes; their byte spans give the nesting.

(package_clause) @package
(import_spec) @import
[ (function_declaration) (method_declaration) (func_literal) ] @function
[ (type_spec) (type_alias) ] @type
(field_declaration) @field
(method_elem) @member
(interface_type (type_elem) @embedded)
(const_spec) @const
(var_spec) @var
[ (block) (if_statement) (for_statement) (expression_switch_statement) (select_statement)
  (expression_case) (default_case) (communication_case) ] @block
(short_var_declaration) @short
(range_clause) @range
(receive_statement) @receive
(type_switch_statement) @typeswitch

[ (call_expression) (type_conversion_expression) ] @call
(composite_literal type: [ (type_identifier) (qualified_type) (generic_type) ]) @new
(composite_literal type: [ (slice_type) (array_type) (implicit_length_array_type) (map_type) ]) @list

; A function, constant or variable that is used as a value. Not @value: Go's visitor knows which names are local itself.
(argument_list (identifier) @named)
(return_statement (expression_list (identifier) @named))
(assignment_statement (expression_list (identifier) @named))
(short_var_declaration right: (expression_list (identifier) @named))
(var_spec value: (expression_list (identifier) @named))
(const_spec value: (expression_list (identifier) @named))
(expression_case value: (expression_list (identifier) @named))
(literal_value (literal_element (identifier) @named))
(keyed_element value: (literal_element (identifier) @named))
(binary_expression (identifier) @named)
(unary_expression operand: (identifier) @named)
[ (parenthesized_expression (identifier) @named) (type_conversion_expression operand: (identifier) @named) ]
(slice_expression (identifier) @named)
(index_expression (identifier) @indexed)
[ (if_statement condition: (identifier) @named) (for_statement (identifier) @named) ]
[ (expression_switch_statement value: (identifier) @named) (range_clause right: (identifier) @named) ]
[ (send_statement (identifier) @named) (inc_statement (identifier) @named) (dec_statement (identifier) @named) ]
(composite_literal type: [ (map_type) (array_type) (slice_type) ]
  body: (literal_value (keyed_element key: (literal_element (identifier) @named))))

(assignment_statement left: (expression_list (identifier) @assigned))

; Uses of members. A member that is called starts where its call starts, which is visited first.
(assignment_statement left: (expression_list (selector_expression) @write))
(inc_statement (selector_expression) @write)
(dec_statement (selector_expression) @write)
(selector_expression) @access
