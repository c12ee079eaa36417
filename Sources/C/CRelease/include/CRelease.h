#pragma once

/// The commit that a release was built from; empty for a build by hand.
const char *heliograph_commit(void);

/// How many commits lead to that one, as MANIFEST of the release states it; 0 for a build by hand.
unsigned int heliograph_number(void);
