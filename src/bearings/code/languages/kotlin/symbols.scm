; Kotlin. The captures are described in languages/shared/declared.py.

(package_header (qualified_identifier) @package)
(import (qualified_identifier) @import)

(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @definition.enum
(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name) @definition.class
(type_alias type: (identifier) @name) @definition.type
(enum_entry . (identifier) @name) @definition.property
(enum_entry (modifiers) . (identifier) @name) @definition.property
(secondary_constructor "constructor" @name) @definition.constructor
(function_declaration name: (identifier) @name) @definition.function
(property_declaration (variable_declaration . (identifier) @name)) @definition.variable
(property_declaration (multi_variable_declaration (variable_declaration . (identifier) @name))) @definition.variable
(property_declaration (modifiers (property_modifier "const"))) @definition.constant
(class_parameter "val" . (identifier) @name) @definition.property
(class_parameter "var" . (identifier) @name) @definition.property
(function_declaration (user_type) @receiver . "." . name: (identifier))
(function_declaration (nullable_type (user_type) @receiver) . "." . name: (identifier))
(property_declaration (user_type) @receiver . "." . (variable_declaration))
[ (function_body) (class_body) (enum_class_body) ] @body
(secondary_constructor (block) @body)
(anonymous_initializer (block) @body)

(delegation_specifier (constructor_invocation (user_type (identifier) @extends .)))
(delegation_specifier (user_type (identifier) @implements .))
(delegation_specifier (explicit_delegation (user_type (identifier) @implements .)))

(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(callable_reference (identifier) @call .)
(user_type (identifier) @type .)
(identifier) @reference
