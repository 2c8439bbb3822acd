/*
 * struct arena: memory that lives and dies together (one file analysed, one case, one request).
 *
 *     struct arena a;
 *     arena_init(&a);
 *     struct node *n = arena_new(&a, struct node);      // zeroed
 *     char *s = arena_printf(&a, "%s_%d", name, 7);
 *     arena_done(&a);                                   // everything above is gone
 *
 * Blocks are chained and double in size up to 1 MiB; larger requests get a block of their own.
 * All memory is zeroed and aligned for any type. Out of memory aborts the process with a message,
 * so no caller checks for NULL; a caller with a budget checks arena_bytes() now and then.
 * Returning to a mark frees all that was allocated since the mark was taken.
 * An arena is used by one thread; objects in it may point to each other and are never freed singly.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct arena_block;
struct arena_cleanup;

struct arena {
    struct arena_block *head;      /* newest block: the one that serves requests */
    struct arena_cleanup *cleanup; /* newest first */
    size_t n_bytes;                /* of all blocks */
};

struct arena_mark {
    struct arena_block *head;
    struct arena_cleanup *cleanup;
    size_t used;
};

void arena_init(struct arena *a);

/* Runs the clean-ups, newest first, then frees all blocks. The arena may be used again. */
void arena_done(struct arena *a);

/* Like arena_done, but keeps one block: the cheap way to reuse an arena in a loop. */
void arena_reset(struct arena *a);

/* n bytes, zeroed, aligned to 16. n == 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t n) MUST_USE;

/* n_items * item_size bytes; the product is checked for overflow. */
void *arena_alloc_array(struct arena *a, size_t n_items, size_t item_size) MUST_USE;

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_new_array(a, type, n) ((type *)arena_alloc_array((a), (n), sizeof(type)))

void *arena_dup(struct arena *a, const void *from, size_t n) MUST_USE;
char *arena_strdup(struct arena *a, const char *s) MUST_USE;
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Calls fn(ctx) when the arena is done, reset, or returned to an earlier mark. For descriptors and
 * maps. */
void arena_on_done(struct arena *a, void (*fn)(void *ctx), void *ctx);

/* Bytes held from the system, block headers excluded. */
size_t arena_bytes(const struct arena *a);

struct arena_mark arena_mark(const struct arena *a);
void arena_return(struct arena *a, struct arena_mark mark);

/* Heap memory for what outlives arenas; out of memory aborts, as in an arena. */
void *mem_alloc(size_t n) MUST_USE;
void *mem_realloc(void *old, size_t n) MUST_USE;

/* Prints a message and aborts; called by every allocation that fails. */
NORETURN void mem_exhausted(size_t wanted);

#endif
