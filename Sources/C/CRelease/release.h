#pragma once
// What only the command line of a build knows: tools/dev bundle states the commit that it builds.

#ifndef HELIOGRAPH_COMMIT
#define HELIOGRAPH_COMMIT ""
#endif

static inline const char *heliograph_commit(void) { return HELIOGRAPH_COMMIT; }
