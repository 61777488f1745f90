(field_definition) @field
(formal_parameters (identifier) @bind)
(using_declaration) @using
(using_declaration (variable_declarator) @const)
