; What TypeScript adds to metrics.

(required_parameter value: (_)) @m.decision
(public_field_definition value: (_) @m.barrier)
"?." @m.decision
