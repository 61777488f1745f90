"""An external `coderef` command as a code engine: find it, run it with a deadline, parse its output."""
