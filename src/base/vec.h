/*
 * VEC(T): a growing array of T; the only container macro.
 *
 *     VEC(int) v = {0};
 *     vec_push(&v, arena, 7);          // grows in the arena; arena NULL: on the heap
 *     for (size_t i = 0; i < v.n; i++) use(v.at[i]);
 *     vec_free(&v);                    // heap vectors only
 *
 * A vector grows always in the same arena, or always on the heap. Pointers into it are invalid
 * after a push. To pass a vector between translation units, wrap it in a named struct.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        size_t n, cap;                                                                             \
    }

#define vec_push(v, arena, ...)                                                                    \
    (vec_reserve((v), (arena), (v)->n + 1), (v)->at[(v)->n++] = (__VA_ARGS__))

#define vec_reserve(v, arena, wanted)                                                              \
    ((wanted) > (v)->cap ? (void)((v)->at = vec__grow((v)->at, (v)->n, &(v)->cap, (wanted),        \
                                                      sizeof *(v)->at, (arena)))                   \
                         : (void)0)

#define vec_last(v) ((v)->at[(v)->n - 1])
#define vec_pop(v) ((v)->at[--(v)->n])
#define vec_clear(v) ((void)((v)->n = 0))
#define vec_free(v) (free((v)->at), (void)((v)->at = NULL, (v)->n = (v)->cap = 0))

void *vec__grow(void *at, size_t n, size_t *cap, size_t wanted, size_t item_size,
                struct arena *arena);

#endif
