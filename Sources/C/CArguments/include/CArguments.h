#pragma once

// The words of the command line as the kernel gave them. Swift's CommandLine reads /proc/self/cmdline, which a process that was
// started inside a Landlock domain cannot open.
int heliograph_argument_count(void);
const char *heliograph_argument(int index);
