"""What `tools/dev release` is made of; command.py has its command line."""
