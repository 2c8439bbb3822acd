/*
 * struct map: from keys (bytes) to values (numbers or pointers); struct intern: from names to small
 * consecutive ids. Both live in an arena and never shrink.
 *
 *     struct map m = {0};
 *     map_put(&m, arena, STR("relu"), 3);
 *     uint64_t *v = map_get(&m, STR("relu"));           // NULL when absent; may be written
 *
 *     struct intern names = {0};
 *     uint32_t id = intern_id(&names, arena, STR("x")); // 0, 1, 2, ... in order of first sight
 *     struct str s = intern_str(&names, id);
 *
 * Keys are copied into the arena. Iteration is in order of insertion, so output that walks a map is
 * the same in every run. Open addressing over an index of entries, at most half full.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct map_entry {
    struct str key;
    uint64_t hash;
    uint64_t value;
};

struct map {
    VEC(struct map_entry) entries; /* in order of insertion */
    uint32_t *slots;               /* entry number + 1, or 0 */
    size_t n_slots;                /* a power of two, or 0 */
};

/* Sets key's value, adding it when absent. */
void map_put(struct map *m, struct arena *a, struct str key, uint64_t value);

/* A pointer to the value, valid until the next new key; NULL: the key is absent. */
uint64_t *map_get(const struct map *m, struct str key);

/* A pointer to the value, which is added as zero if absent; *added (or NULL): was it? */
uint64_t *map_at(struct map *m, struct arena *a, struct str key, bool *added);

/* Makes *to a separate map with the same entries. Keys are shared, so the arena of `from` must live
 * as long. */
void map_copy(struct map *to, const struct map *from, struct arena *a);

struct intern {
    struct map ids;
};

#define INTERN_NONE UINT32_MAX

uint32_t intern_id(struct intern *in, struct arena *a, struct str s);
uint32_t intern_find(const struct intern *in, struct str s); /* INTERN_NONE when absent */
struct str intern_str(const struct intern *in, uint32_t id);
size_t intern_count(const struct intern *in);

#endif
