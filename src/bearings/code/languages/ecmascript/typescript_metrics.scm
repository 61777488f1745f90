; Metrics: additional node types of TypeScript.

(required_parameter value: (_)) @m.decision
(public_field_definition value: (_) @m.barrier)
"?." @m.decision
