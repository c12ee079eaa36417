#pragma once

#include <stddef.h>

/// Fills `count` bytes from the processor's own generator: RDSEED where it has it, else RDRAND.
///
/// Returns how many were filled: 0 where the processor has no such instruction, fewer than `count` where it gave nothing for too long.
size_t heliograph_processor_random(unsigned char *bytes, size_t count);
