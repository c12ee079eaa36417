#include "CArguments.h"

static int count;
static char **words;

// The C library passes main's arguments to constructors too.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
    count = argc;
    words = argv;
}

int heliograph_argument_count(void) { return count; }

const char *heliograph_argument(int index) { return words[index]; }
