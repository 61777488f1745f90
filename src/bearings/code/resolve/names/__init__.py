"""What a name means: through scopes, imports and exports."""
