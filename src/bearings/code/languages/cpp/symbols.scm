; C++, and headers of C. The captures are described in languages/shared/declared.py.

(preproc_include path: (_) @import)
(preproc_def name: (identifier) @name) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function
(namespace_definition name: (_) @name) @namespace

(function_definition declarator: [
  (function_declarator declarator: (_) @name)
  (pointer_declarator declarator: (function_declarator declarator: (_) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
  (reference_declarator (function_declarator declarator: (_) @name))
]) @definition.function
(field_declaration_list (field_declaration declarator: [
  (function_declarator declarator: [ (field_identifier) (operator_name) ] @name)
  (pointer_declarator declarator: (function_declarator declarator: [ (field_identifier) (operator_name) ] @name))
  (reference_declarator (function_declarator declarator: [ (field_identifier) (operator_name) ] @name))
]) @definition.method)
(field_declaration_list (declaration declarator: (function_declarator declarator: (_) @name)) @definition.method)
(field_declaration_list (template_declaration
  (declaration declarator: (function_declarator declarator: (_) @name)) @definition.method))

(declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (qualified_identifier) @name
    (pointer_declarator declarator: [
      (identifier) @name
      (qualified_identifier) @name
      (array_declarator declarator: (identifier) @name)
    ])
    (array_declarator declarator: [ (identifier) @name (array_declarator declarator: (identifier) @name) ])
    (reference_declarator (identifier) @name)
  ])
]) @definition.variable

(class_specifier name: (_) @name body: (field_declaration_list)) @definition.class
(struct_specifier name: (_) @name body: (field_declaration_list)) @definition.class
(union_specifier name: (_) @name body: (field_declaration_list)) @definition.class
(enum_specifier name: (_) @name body: (enumerator_list)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(concept_definition name: (identifier) @name) @definition.interface
(alias_declaration name: (type_identifier) @name) @definition.type
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ])
  (reference_declarator (field_identifier) @name)
  (array_declarator declarator: [ (field_identifier) @name (array_declarator declarator: (field_identifier) @name) ])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
]) @definition.property

; A type that is named here alone, and one that has another name already.
(type_definition type: (struct_specifier . body: (field_declaration_list)) declarator: (type_identifier) @name) @definition.class
(type_definition type: (union_specifier . body: (field_declaration_list)) declarator: (type_identifier) @name) @definition.class
(type_definition type: (enum_specifier . body: (enumerator_list)) declarator: (type_identifier) @name) @definition.enum
(type_definition type: [
  (struct_specifier name: (_)) (union_specifier name: (_)) (enum_specifier name: (_)) (class_specifier name: (_))
  (primitive_type) (type_identifier) (sized_type_specifier) (template_type) (qualified_identifier) (dependent_type)
] declarator: [
  (type_identifier) @name @definition.type
  (pointer_declarator declarator: (type_identifier) @name @definition.type)
  (reference_declarator (type_identifier) @name @definition.type)
  (array_declarator declarator: (type_identifier) @name @definition.type)
  (function_declarator declarator: (type_identifier) @name @definition.type)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name @definition.type)))
  (pointer_declarator declarator: (function_declarator declarator:
    (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name @definition.type))))
])

(base_class_clause [
  (type_identifier) @extends
  (template_type name: (type_identifier) @extends)
  (qualified_identifier name: [ (type_identifier) @extends (template_type name: (type_identifier) @extends) ])
])
(field_declaration_list (access_specifier) @visibility)

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (qualified_identifier) @call)
(template_function name: (identifier) @call)
(template_method name: (field_identifier) @call)
(new_expression type: (type_identifier) @new)
(new_expression type: (template_type name: (type_identifier) @new))
(new_expression type: (qualified_identifier name: (type_identifier) @new))
(type_identifier) @type
(qualified_identifier scope: (namespace_identifier) @reference)
(identifier) @reference
