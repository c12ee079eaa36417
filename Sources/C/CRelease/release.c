// What only the command line of a build knows: `tools/dev release` states the commit and its number. They stand in a C file of their own, so that a release compiles
// this file and links, and takes everything else from the build that was tested.
#include "CRelease.h"

#ifndef HELIOGRAPH_COMMIT
#define HELIOGRAPH_COMMIT ""
#endif

#ifndef HELIOGRAPH_NUMBER
#define HELIOGRAPH_NUMBER 0
#endif

const char *heliograph_commit(void) { return HELIOGRAPH_COMMIT; }
unsigned int heliograph_number(void) { return HELIOGRAPH_NUMBER; }
