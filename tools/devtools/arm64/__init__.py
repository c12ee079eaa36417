"""What `tools/dev sysroot` and `tools/dev arm64` are made of; sysroot.py and command.py have their command lines."""
