"""An external `coderef` command as a code engine: found, run in a leash, and understood."""
