"""What `tools/dev appliance` is made of; command.py has its command line."""
