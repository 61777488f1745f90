; C. The captures are described in languages/shared/declared.py.

(preproc_include path: (_) @import)
(preproc_def name: (identifier) @name) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function

(function_definition declarator: [
  (function_declarator declarator: (_) @name)
  (pointer_declarator declarator: (function_declarator declarator: (_) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
]) @definition.function

(declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: [ (identifier) @name (array_declarator declarator: (identifier) @name) ])
  (array_declarator declarator: [ (identifier) @name (array_declarator declarator: (identifier) @name) ])
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [ (identifier) @name (array_declarator declarator: (identifier) @name) ])
    (array_declarator declarator: [ (identifier) @name (array_declarator declarator: (identifier) @name) ])
  ])
]) @definition.variable

(struct_specifier name: (type_identifier) @name body: (field_declaration_list)) @definition.class
(union_specifier name: (type_identifier) @name body: (field_declaration_list)) @definition.class
(enum_specifier name: (type_identifier) @name body: (enumerator_list)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ])
  (array_declarator declarator: [ (field_identifier) @name (array_declarator declarator: (field_identifier) @name) ])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
  (pointer_declarator declarator: (function_declarator declarator:
    (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))))
]) @definition.property

; A type that is named here alone, and one that has another name already.
(type_definition type: (struct_specifier . body: (field_declaration_list)) declarator: (type_identifier) @name) @definition.class
(type_definition type: (union_specifier . body: (field_declaration_list)) declarator: (type_identifier) @name) @definition.class
(type_definition type: (enum_specifier . body: (enumerator_list)) declarator: (type_identifier) @name) @definition.enum
(type_definition type: [
  (struct_specifier name: (_)) (union_specifier name: (_)) (enum_specifier name: (_))
  (primitive_type) (type_identifier) (sized_type_specifier)
] declarator: [
  (type_identifier) @name @definition.type
  (pointer_declarator declarator: (type_identifier) @name @definition.type)
  (array_declarator declarator: (type_identifier) @name @definition.type)
  (function_declarator declarator: (type_identifier) @name @definition.type)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name @definition.type)))
  (pointer_declarator declarator: (function_declarator declarator:
    (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name @definition.type))))
])

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(type_identifier) @type
(identifier) @reference
