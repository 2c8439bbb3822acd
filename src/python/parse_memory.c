/*
 * The memory of the tree-sitter library while one file is read: taken from blocks and, once its
 * tree has been walked, freed as a whole, not piece by piece.
 *
 *     newest -> [ size piece | size piece ... | free ... ] -> the block before -> NULL
 *
 * A piece that the library frees joins the free pieces of its size and is the first to be reused.
 * Blocks stay for the next file, up to KEPT_BYTES.
 *
 * The library's hooks are those of the whole process and get no context, so the memory in use is
 * state of this file (docs/adr/0011). Before begin and after end the library uses the system's
 * memory. Invariant: nothing that the library allocated between the two is used after the end.
 */
#include <stddef.h>

#include "python/tree_p.h"

enum {
    GRAIN = 16,
    FINE_MAX_BIT = 10, /* sizes up to 1 KiB are multiples of GRAIN, larger ones powers of two */
    N_FINE = (1 << FINE_MAX_BIT) / GRAIN + 1,
    BLOCK_BYTES = 256 << 10,
    KEPT_BYTES = 4 << 20,
};

/* A head of 24 bytes makes pieces begin 8 bytes after a multiple of 16, and their contents on
 * one. */
struct memory_block {
    struct memory_block *next;
    size_t size, used; /* of data */
    unsigned char data[];
};

struct memory_piece {
    size_t size;               /* with this head */
    struct memory_piece *next; /* while it is free; else the caller's memory begins here */
};

enum { HEAD = offsetof(struct memory_piece, next) };

struct parse_memory {
    struct memory_block *used, *kept;
    struct memory_piece *free_pieces[N_FINE + 64]; /* by list_of their size */
};

static struct parse_memory *in_use;

static unsigned list_of(size_t size)
{
    return (unsigned)(size < (size_t)N_FINE * GRAIN ? size / GRAIN
                                                    : N_FINE + (size_t)HIGHEST_BIT(size));
}

static size_t whole_size(size_t n)
{
    if (n > SIZE_MAX / 4)
        mem_exhausted(n);
    size_t size = (n + HEAD + GRAIN - 1) & ~(size_t)(GRAIN - 1);
    return size < (size_t)N_FINE * GRAIN ? size : (size_t)2 << HIGHEST_BIT(size - 1);
}

static void open_block(struct parse_memory *m, size_t at_least)
{
    struct memory_block *b = m->kept;
    if (b && b->size >= at_least) {
        m->kept = b->next;
    } else {
        size_t size = MAX((size_t)BLOCK_BYTES, at_least);
        b = mem_alloc(sizeof *b + size);
        b->size = size;
    }
    MEMORY_HIDE(b->data, b->size);
    b->used = 0;
    b->next = m->used;
    m->used = b;
}

static void *take(size_t n)
{
    struct parse_memory *m = in_use;
    size_t size = whole_size(n);
    struct memory_piece **list = &m->free_pieces[list_of(size)], *piece = *list;
    if (piece) {
        MEMORY_SHOW(&piece->next, size - HEAD);
        *list = piece->next;
    } else {
        if (!m->used || m->used->size - m->used->used < size)
            open_block(m, size);
        piece = (void *)(m->used->data + m->used->used);
        MEMORY_SHOW(piece, size);
        m->used->used += size;
        piece->size = size;
    }
    return &piece->next;
}

static struct memory_piece *piece_of(void *held)
{
    return (void *)((unsigned char *)held - HEAD);
}

static void give_back(void *held)
{
    if (!held)
        return;
    struct memory_piece *piece = piece_of(held);
    struct memory_piece **list = &in_use->free_pieces[list_of(piece->size)];
    piece->next = *list;
    *list = piece;
    MEMORY_HIDE(&piece->next, piece->size - HEAD);
}

static void *take_zeroed(size_t n_items, size_t item_size)
{
    if (item_size && n_items > SIZE_MAX / item_size)
        mem_exhausted(SIZE_MAX);
    void *held = take(n_items * item_size);
    return memset(held, 0, n_items * item_size);
}

static void *resize(void *held, size_t n)
{
    if (!held)
        return take(n);
    size_t holds = piece_of(held)->size - HEAD;
    if (n <= holds)
        return held;
    void *larger = take(n);
    memcpy(larger, held, holds);
    give_back(held);
    return larger;
}

struct parse_memory *parse_memory__new(void)
{
    return mem_alloc(sizeof(struct parse_memory));
}

void parse_memory__begin(struct parse_memory *m)
{
    in_use = m;
    ts_set_allocator(take, take_zeroed, resize, give_back);
}

/* Keeps as much as fits in KEPT_BYTES: only one file in a thousand needs more. */
void parse_memory__end(struct parse_memory *m)
{
    size_t n_kept = 0;
    ts_set_allocator(NULL, NULL, NULL, NULL);
    in_use = NULL;
    for (struct memory_block *b = m->kept; b; b = b->next)
        n_kept += b->size;
    for (struct memory_block *b = m->used, *next; b; b = next) {
        next = b->next;
        if (b->size == BLOCK_BYTES && n_kept < KEPT_BYTES) {
            n_kept += b->size;
            b->next = m->kept;
            m->kept = b;
        } else {
            free(b);
        }
    }
    m->used = NULL;
    memset(m->free_pieces, 0, sizeof m->free_pieces);
}

void parse_memory__free(struct parse_memory *m)
{
    if (!m)
        return;
    for (struct memory_block *b = m->kept, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(m);
}
