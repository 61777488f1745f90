(field_definition) @field
(formal_parameters (identifier) @bind)
