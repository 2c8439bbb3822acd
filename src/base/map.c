/* A hash map in order of insertion: a dense vector of entries, and a table of indices into it. */
#include "base/map.h"

#include "base/hash.h"

static size_t slot_of(const struct map *m, uint64_t hash, struct str key)
{
    size_t mask = m->n_slots - 1;
    size_t at = hash & mask;
    for (; m->slots[at]; at = (at + 1) & mask) {
        const struct map_entry *entry = &m->entries.at[m->slots[at] - 1];
        if (entry->hash == hash && str_eq(entry->key, key))
            break;
    }
    return at;
}

static void grow(struct map *m, struct arena *a)
{
    m->n_slots = m->n_slots ? m->n_slots * 2 : 16;
    m->slots = arena_new_array(a, uint32_t, m->n_slots);
    for (size_t i = 0; i < m->entries.n; i++) {
        const struct map_entry *entry = &m->entries.at[i];
        m->slots[slot_of(m, entry->hash, entry->key)] = (uint32_t)i + 1;
    }
}

uint64_t *map_get(const struct map *m, struct str key)
{
    if (!m->n_slots)
        return NULL;
    size_t at = slot_of(m, hash_bytes64(key.at, key.n), key);
    return m->slots[at] ? &m->entries.at[m->slots[at] - 1].value : NULL;
}

uint64_t *map_at(struct map *m, struct arena *a, struct str key, bool *added)
{
    if ((m->entries.n + 1) * 2 > m->n_slots)
        grow(m, a);
    uint64_t hash = hash_bytes64(key.at, key.n);
    size_t at = slot_of(m, hash, key);
    bool is_new = !m->slots[at];
    if (added)
        *added = is_new;
    if (is_new) {
        struct str copy = {str_dup(a, key), key.n};
        vec_push(&m->entries, a, (struct map_entry){copy, hash, 0});
        m->slots[at] = (uint32_t)m->entries.n;
    }
    return &m->entries.at[m->slots[at] - 1].value;
}

void map_put(struct map *m, struct arena *a, struct str key, uint64_t value)
{
    *map_at(m, a, key, NULL) = value;
}

void map_copy(struct map *to, const struct map *from, struct arena *a)
{
    to->entries.n = to->entries.cap = from->entries.n;
    to->entries.at = arena_dup(a, from->entries.at, from->entries.n * sizeof *from->entries.at);
    to->n_slots = from->n_slots;
    to->slots = arena_dup(a, from->slots, from->n_slots * sizeof *from->slots);
}

uint32_t intern_id(struct intern *in, struct arena *a, struct str s)
{
    bool added;
    uint64_t *id = map_at(&in->ids, a, s, &added);
    if (added)
        *id = in->ids.entries.n - 1;
    return (uint32_t)*id;
}

uint32_t intern_find(const struct intern *in, struct str s)
{
    const uint64_t *id = map_get(&in->ids, s);
    return id ? (uint32_t)*id : (uint32_t)INTERN_NONE;
}

struct str intern_str(const struct intern *in, uint32_t id)
{
    return in->ids.entries.at[id].key;
}

size_t intern_count(const struct intern *in)
{
    return in->ids.entries.n;
}
