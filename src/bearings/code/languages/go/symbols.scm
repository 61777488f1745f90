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

; A function, constant, variable or method that is used as a value.
(argument_list [ (identifier) (selector_expression) ] @value)
(return_statement (expression_list [ (identifier) (selector_expression) ] @value))
(assignment_statement (expression_list [ (identifier) (selector_expression) ] @value))
(short_var_declaration right: (expression_list [ (identifier) (selector_expression) ] @value))
(var_spec value: (expression_list [ (identifier) (selector_expression) ] @value))
(const_spec value: (expression_list [ (identifier) (selector_expression) ] @value))
(expression_case value: (expression_list [ (identifier) (selector_expression) ] @value))
(literal_value (literal_element [ (identifier) (selector_expression) ] @value))
(keyed_element value: (literal_element [ (identifier) (selector_expression) ] @value))
(binary_expression (identifier) @value)
(binary_expression (selector_expression operand: (identifier)) @value)
(unary_expression operand: [ (identifier) (selector_expression) ] @value)
