; Rust. The captures are described in languages/shared/declared.py.

(use_declaration argument: (_) @import)
(mod_item name: (identifier) @import ";")
(mod_item name: (identifier) @name body: (declaration_list)) @namespace

(struct_item name: (type_identifier) @name) @definition.class
(union_item name: (type_identifier) @name) @definition.class
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.property
(field_declaration name: (field_identifier) @name) @definition.property
(trait_item name: (type_identifier) @name) @definition.interface
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(macro_definition name: (identifier) @name) @definition.function

(impl_item type: [
  (type_identifier) @name
  (generic_type type: [ (type_identifier) @name (scoped_type_identifier name: (type_identifier) @name) ])
  (scoped_type_identifier name: (type_identifier) @name)
  (reference_type type: (type_identifier) @name)
]) @owner
(impl_item trait: [
  (type_identifier) @implements
  (scoped_type_identifier name: (type_identifier) @implements)
  (generic_type type: [ (type_identifier) @implements (scoped_type_identifier name: (type_identifier) @implements) ])
])
(trait_item bounds: (trait_bounds [
  (type_identifier) @extends
  (scoped_type_identifier name: (type_identifier) @extends)
  (generic_type type: (type_identifier) @extends)
]))

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (scoped_identifier name: (identifier) @call))
(generic_function function: (identifier) @call)
(generic_function function: (field_expression field: (field_identifier) @call))
(generic_function function: (scoped_identifier name: (identifier) @call))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier name: (identifier) @call))
(struct_expression name: (type_identifier) @new)
(struct_expression name: (scoped_type_identifier name: (type_identifier) @new))

(type_identifier) @type
(scoped_identifier name: (identifier) @reference)
(identifier) @reference
