#pragma once

/// The commit that a release was built from; empty for a build by hand.
const char *heliograph_commit(void);
