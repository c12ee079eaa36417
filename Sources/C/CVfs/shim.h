#pragma once
/// The kind of a file system; Glibc's module leaves it out.
#include <sys/vfs.h>
