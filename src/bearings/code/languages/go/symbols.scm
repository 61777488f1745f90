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

; A function, constant or variable that is used as a value.
(argument_list (identifier) @value)
(return_statement (expression_list (identifier) @value))
(assignment_statement (expression_list (identifier) @value))
(short_var_declaration right: (expression_list (identifier) @value))
(var_spec value: (expression_list (identifier) @value))
(const_spec value: (expression_list (identifier) @value))
(expression_case value: (expression_list (identifier) @value))
(literal_value (literal_element (identifier) @value))
(keyed_element value: (literal_element (identifier) @value))
(binary_expression (identifier) @value)
(unary_expression operand: (identifier) @value)
[ (parenthesized_expression (identifier) @value) (type_conversion_expression operand: (identifier) @value) ]
(slice_expression (identifier) @value)
(index_expression (identifier) @indexed)
[ (if_statement condition: (identifier) @value) (for_statement (identifier) @value) ]
[ (expression_switch_statement value: (identifier) @value) (range_clause right: (identifier) @value) ]
[ (send_statement (identifier) @value) (inc_statement (identifier) @value) (dec_statement (identifier) @value) ]
(composite_literal type: [ (map_type) (array_type) (slice_type) ]
  body: (literal_value (keyed_element key: (literal_element (identifier) @value))))

; Uses of members. A member that is called starts where its call starts, which is visited first.
(assignment_statement left: (expression_list (selector_expression) @write))
(inc_statement (selector_expression) @write)
(dec_statement (selector_expression) @write)
(selector_expression) @access
