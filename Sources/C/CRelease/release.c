// What only the command line of a build knows: `tools/dev release` states the commit. It stands in a C file of its own, so that a release compiles
// this file and links, and takes everything else from the build that was tested.
#include "CRelease.h"

#ifndef HELIOGRAPH_COMMIT
#define HELIOGRAPH_COMMIT ""
#endif

const char *heliograph_commit(void) { return HELIOGRAPH_COMMIT; }
