; Metrics: node types that JavaScript's grammar names differently from TypeScript's.

(field_definition value: (_) @m.barrier)
(optional_chain) @m.decision
