"""The implementation of `tools/dev`: a module for each subcommand, with `configure(parser)` where it has options, and `run(options)`, whose result is the exit
code: 1 where something does not hold."""
