/*
 * Blocks in a chain, newest first:
 *
 *     head -> [ header | used ......... | free ... ] -> [ header | used ... ] -> NULL
 *
 * Requests are served from the head only. One that does not fit opens a new block, and the rest of
 * the old block is lost (at most half, because sizes double). New blocks come zeroed from calloc,
 * and memory that is given back to a mark is cleared, so allocated memory is always zero.
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    size_t size, used; /* of data */
    uint64_t pad;      /* keeps data aligned to 16 */
    unsigned char data[];
};

struct arena_cleanup {
    struct arena_cleanup *next;
    void (*fn)(void *);
    void *ctx;
};

void mem_exhausted(size_t wanted)
{
    fprintf(stderr, "assay: out of memory (%zu bytes wanted)\n", wanted);
    abort();
}

void *mem_alloc(size_t n)
{
    void *p = calloc(1, n ? n : 1);
    if (!p)
        mem_exhausted(n);
    return p;
}

void *mem_realloc(void *old, size_t n)
{
    void *p = realloc(old, n ? n : 1);
    if (!p)
        mem_exhausted(n);
    return p;
}

void arena_init(struct arena *a)
{
    *a = (struct arena){0};
}

static void run_cleanups(struct arena *a, const struct arena_cleanup *until)
{
    while (a->cleanup != until) {
        struct arena_cleanup *c = a->cleanup;
        a->cleanup = c->next;
        c->fn(c->ctx);
    }
}

void arena_return(struct arena *a, struct arena_mark mark)
{
    run_cleanups(a, mark.cleanup);
    while (a->head != mark.head) {
        struct arena_block *gone = a->head;
        a->head = gone->next;
        a->n_bytes -= gone->size;
        free(gone);
    }
    if (a->head && a->head->used > mark.used) {
        memset(a->head->data + mark.used, 0, a->head->used - mark.used);
        a->head->used = mark.used;
    }
}

struct arena_mark arena_mark(const struct arena *a)
{
    return (struct arena_mark){a->head, a->cleanup, a->head ? a->head->used : 0};
}

void arena_done(struct arena *a)
{
    arena_return(a, (struct arena_mark){0});
}

void arena_reset(struct arena *a)
{
    run_cleanups(a, NULL);
    struct arena_block *keep = a->head;
    if (!keep)
        return;
    a->head = keep->next;
    arena_return(a, (struct arena_mark){0});
    keep->next = NULL;
    memset(keep->data, 0, keep->used);
    keep->used = 0;
    a->head = keep;
    a->n_bytes = keep->size;
}

static void open_block(struct arena *a, size_t at_least)
{
    size_t size = a->head ? MIN(a->head->size * 2, (size_t)LARGEST_BLOCK) : (size_t)FIRST_BLOCK;
    size = MAX(size, at_least);
    if (size > SIZE_MAX - sizeof(struct arena_block))
        mem_exhausted(size);
    struct arena_block *b = mem_alloc(sizeof *b + size);
    b->size = size;
    b->next = a->head;
    a->head = b;
    a->n_bytes += size;
}

void *arena_alloc(struct arena *a, size_t n)
{
    if (UNLIKELY(n > SIZE_MAX - ALIGN))
        mem_exhausted(n);
    size_t rounded = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (UNLIKELY(!a->head || a->head->size - a->head->used < rounded))
        open_block(a, rounded);
    void *p = a->head->data + a->head->used;
    a->head->used += rounded;
    return p;
}

void *arena_alloc_array(struct arena *a, size_t n_items, size_t item_size)
{
    if (item_size && n_items > SIZE_MAX / item_size)
        mem_exhausted(SIZE_MAX);
    return arena_alloc(a, n_items * item_size);
}

void *arena_dup(struct arena *a, const void *from, size_t n)
{
    void *p = arena_alloc(a, n);
    if (n)
        memcpy(p, from, n);
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_dup(a, s, strlen(s) + 1);
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *s = arena_alloc(a, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

void arena_on_done(struct arena *a, void (*fn)(void *), void *ctx)
{
    struct arena_cleanup *c = arena_new(a, struct arena_cleanup);
    *c = (struct arena_cleanup){a->cleanup, fn, ctx};
    a->cleanup = c;
}

size_t arena_bytes(const struct arena *a)
{
    return a->n_bytes;
}
