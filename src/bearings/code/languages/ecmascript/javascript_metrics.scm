; What JavaScript's own grammar calls by another name than TypeScript's, for metrics.

(field_definition value: (_) @m.barrier)
(optional_chain) @m.decision
