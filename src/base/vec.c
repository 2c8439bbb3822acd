/* Vectors grow by doubling; the old copy of one in an arena stays there until the arena is done. */
#include "base/vec.h"

#include <string.h>

void *vec__grow(void *at, size_t n, size_t *cap, size_t wanted, size_t item_size,
                struct arena *arena)
{
    size_t grown = MAX(wanted, *cap ? *cap * 2 : 8);
    if (grown > SIZE_MAX / item_size)
        mem_exhausted(SIZE_MAX);
    *cap = grown;
    if (!arena)
        return mem_realloc(at, grown * item_size);
    void *moved = arena_alloc(arena, grown * item_size);
    if (n)
        memcpy(moved, at, n * item_size);
    return moved;
}
