"""The implementation of `tools/dev`: a module for each subcommand, with `configure(parser)` and `run(options)`."""
