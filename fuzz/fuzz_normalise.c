/* Messages and stacks of engines are bytes from outside: normalising them must hold on any. */
#include <stdlib.h>

#include "judge/normalise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    arena_init(&a);
    struct str text = {(const char *)data, size};
    struct str once = normalise_message(text, NORMALISE_VERSION, &a);
    normalise_frames(text, 3, true, &a);
    if (once.n > NORMALISE_MAX)
        abort();
    arena_done(&a);
    return 0;
}
