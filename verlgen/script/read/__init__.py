"""Shell text -> Launches, without running it: parser, static interpreter, recognition."""
