#pragma once

#include <stddef.h>

/// Why the jitter source gives nothing.
enum heliograph_jitter_failure {
    /// It gave all that was asked for.
    HELIOGRAPH_JITTER_NONE = 0,
    /// Its test at the start found this machine's clock unusable.
    HELIOGRAPH_JITTER_START = 1,
    /// One difference of times came too often in a row.
    HELIOGRAPH_JITTER_REPETITION = 2,
    /// One difference of times came too often in a window.
    HELIOGRAPH_JITTER_PROPORTION = 3,
    /// The differences of times can be told from those before.
    HELIOGRAPH_JITTER_PREDICTABLE = 4,
};

/// Fills `count` bytes from differences in the time that this processor takes for the same work. The library tests each difference while it collects.
enum heliograph_jitter_failure heliograph_jitter(unsigned char *bytes, size_t count);

/// The library's version, such as 3040100 for 3.4.1.
unsigned int heliograph_jitter_version(void);
