#pragma once
#include <stdbool.h>
/// Whether the fault with this number is on; notes that a run came here.
bool mutant(int number);
