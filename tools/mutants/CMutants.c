#include "CMutants.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// The switch is read before main: a program may enter its sandbox before it reaches a fault.
static int active = -1;
static unsigned char *reached;

__attribute__((constructor)) static void look(void) {
    const char *number = getenv("MUTANT"), *file = getenv("MUTANTS_REACHED");
    if (number && *number) active = atoi(number);
    if (!file || !*file) return;
    int descriptor = open(file, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (memory != MAP_FAILED) reached = memory;
}

bool mutant(int number) {
    if (reached && number < 4096) reached[number] = 1;
    return number == active;
}
