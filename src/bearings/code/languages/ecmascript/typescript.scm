; Additional captures for TypeScript and TSX.

[ (function_signature) (method_signature) (abstract_method_signature) ] @signature
(interface_body (property_signature) @field)
(type_alias_declaration value: (object_type (property_signature) @field))
(object_type (property_signature) @nested)
(public_field_definition) @field
(abstract_class_declaration) @class
(interface_declaration) @interface
(type_alias_declaration) @alias
(enum_declaration) @enum
[ (internal_module) (module) ] @namespace
(type_parameter) @typeparameter
[ (required_parameter pattern: [(identifier) (this)]) (optional_parameter pattern: (identifier)) ] @parameter
(pair value: [ (as_expression) (satisfies_expression) ]) @pair
[ (satisfies_expression) (as_expression [ (object) (array) ]) ] @asserted
(required_parameter value: (identifier) @value)
(import_alias) @importalias
(assignment_expression "using") @using
(for_in_statement operator: "of" right: [(non_null_expression) (as_expression)] @iterated)
(spread_element (non_null_expression) @spread)
[ (function_type) (constructor_type) (call_signature) (construct_signature) (index_signature) ] @functiontype
[ (as_expression (identifier) @value) (satisfies_expression (identifier) @value) (non_null_expression (identifier) @value) ]
