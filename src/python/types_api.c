/*
 * The caller's table of API knowledge, indexed: qualified names by path, methods and attributes by
 * receiver type and word, patterns of instance names. Also the words of the enumerations.
 * Invariant: a name has one row; rows with same_as share the canonical one.
 */
#include "python/types_p.h"

static const char *const type_names[] = {
#define TYPE(name, text) text,
#include "python/type.def"
#undef TYPE
};
static const char *const role_names[] = {
#define ROLE(name, text) text,
#include "python/role.def"
#undef ROLE
};
static const char *const trait_names[] = {
#define TRAIT(name, text) text,
#include "python/trait.def"
#undef TRAIT
};
static const char *const domain_names[] = {
#define DOMAIN(name, text) text,
#include "python/domain.def"
#undef DOMAIN
};

const char *type_name(enum value_type k)
{
    return type_names[k];
}

const char *role_name(enum role r)
{
    return role_names[r];
}

const char *trait_name(enum trait_at t)
{
    return trait_names[t];
}

const char *domain_name(enum domain d)
{
    return domain_names[d];
}

static bool find_text(const char *const *texts, size_t n, struct str s, unsigned *out)
{
    for (unsigned i = 0; i < n; i++) {
        if (str_is(s, texts[i])) {
            *out = i;
            return true;
        }
    }
    return false;
}

bool type_from_name(struct str s, enum value_type *out)
{
    unsigned at = 0;
    bool found = find_text(type_names, COUNT_OF(type_names), s, &at);
    *out = (enum value_type)at;
    return found;
}

bool role_from_name(struct str s, enum role *out)
{
    unsigned at = 0;
    bool found = find_text(role_names, COUNT_OF(role_names), s, &at);
    *out = (enum role)at;
    return found;
}

bool trait_from_name(struct str s, uint64_t *bit)
{
    unsigned at = 0;
    bool found = find_text(trait_names, COUNT_OF(trait_names), s, &at);
    *bit = found ? UINT64_C(1) << at : 0;
    return found;
}

bool domain_from_name(struct str s, enum domain *out)
{
    unsigned at = 0;
    bool found = find_text(domain_names, COUNT_OF(domain_names), s, &at);
    *out = (enum domain)at;
    return found;
}

/* ---- the table ---- */

struct api_table {
    struct arena arena;
    const struct api_row *rows;
    size_t n_rows;
    uint32_t *by_path; /* row + 1 by path, for paths below n_paths */
    size_t n_paths;
    struct map methods, attributes; /* (receiver, word) -> row */
    struct node_table receivers;    /* word -> bits of types that have a method of this name */
    const struct api_name *names;
    size_t n_names;
    struct name_convention *conventions;
    size_t n_conventions;
    struct name_types *name_types; /* memo of instance names */
};

/* The type that each word suggests, as far as it was needed; for one epoch of the words. */
struct name_types {
    VEC(uint8_t) types; /* heap; type + 1, 0: not computed */
    uint32_t epoch;
};

struct receiver_key {
    uint32_t type, word;
};

static struct str key_bytes(const struct receiver_key *key)
{
    return (struct str){(const char *)key, sizeof *key};
}

static bool is_dotted(const char *name)
{
    return strchr(name, '.') != NULL;
}

static bool add_of_receiver(struct api_table *t, struct py_parser *words, size_t at, struct err *e)
{
    const struct api_row *row = &t->rows[at];
    struct receiver_key key = {row->receiver, py_parser_word(words, str_of(row->name))};
    struct map *m = row->form == API_METHOD ? &t->methods : &t->attributes;
    bool added;
    uint64_t *slot = map_at(m, &t->arena, key_bytes(&key), &added);
    if (!added)
        return err_set(e, ERR_DATA, "API row %zu: \"%s\" of a %s has a row already (row %llu)", at,
                       row->name, type_name(row->receiver), (unsigned long long)*slot);
    *slot = at;
    if (row->form == API_METHOD && row->receiver != TYPE_UNKNOWN)
        node_table__put(&t->receivers, &t->arena, key.word,
                        api_receivers(t, key.word) | 1u << row->receiver);
    return true;
}

static bool add_paths(struct api_table *t, struct paths *paths, struct err *e)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->rows[i].form == API_METHOD || !is_dotted(t->rows[i].name))
            continue;
        paths_add(paths, str_of(t->rows[i].name));
        if (t->rows[i].same_as)
            paths_add(paths, str_of(t->rows[i].same_as));
    }
    t->n_paths = paths_count(paths);
    t->by_path = arena_new_array(&t->arena, uint32_t, t->n_paths);
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->rows[i].form == API_METHOD || !is_dotted(t->rows[i].name))
            continue;
        uint32_t path = paths_find(paths, str_of(t->rows[i].name));
        if (t->by_path[path])
            return err_set(e, ERR_DATA, "API row %zu: \"%s\" has a row already (row %u)", i,
                           t->rows[i].name, t->by_path[path] - 1);
        t->by_path[path] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < t->n_rows; i++) {
        if (!t->rows[i].same_as || t->rows[i].form == API_METHOD)
            continue;
        uint32_t canonical = t->by_path[paths_find(paths, str_of(t->rows[i].same_as))];
        if (!canonical)
            return err_set(e, ERR_DATA,
                           "API row %zu: \"%s\" is the same as \"%s\", which has no row", i,
                           t->rows[i].name, t->rows[i].same_as);
        t->by_path[paths_find(paths, str_of(t->rows[i].name))] = canonical;
    }
    return true;
}

static void add_conventions(struct api_table *t, struct paths *paths, struct py_parser *words)
{
    t->conventions = arena_new_array(&t->arena, struct name_convention, t->n_names);
    for (size_t i = 0; i < t->n_names; i++)
        if (t->names[i].module)
            t->conventions[t->n_conventions++] =
                (struct name_convention){py_parser_word(words, str_of(t->names[i].pattern)),
                                         paths_add(paths, str_of(t->names[i].module))};
}

bool api_table_new(struct paths *paths, struct py_parser *words, const struct api_facts *facts,
                   struct api_table **out, struct err *e)
{
    struct api_table *t = mem_alloc(sizeof *t);
    *t = (struct api_table){.rows = facts->rows,
                            .n_rows = facts->n_rows,
                            .names = facts->names,
                            .n_names = facts->n_names};
    t->name_types = mem_alloc(sizeof *t->name_types);
    *t->name_types = (struct name_types){0};
    arena_init(&t->arena);
    add_conventions(t, paths, words);
    bool ok = add_paths(t, paths, e);
    for (size_t i = 0; ok && i < t->n_rows; i++)
        if (t->rows[i].form == API_METHOD || !is_dotted(t->rows[i].name))
            ok = add_of_receiver(t, words, i, e);
    if (!ok) {
        api_table_free(t);
        return false;
    }
    *out = t;
    return true;
}

void api_table_free(struct api_table *t)
{
    if (!t)
        return;
    vec_free(&t->name_types->types);
    free(t->name_types);
    arena_done(&t->arena);
    free(t);
}

const struct api_row *api_row_at(const struct api_table *t, uint32_t api)
{
    static const struct api_row nothing = {.name = "", .subject = SUBJECT_NONE};
    return api < t->n_rows ? &t->rows[api] : &nothing;
}

size_t api_count(const struct api_table *t)
{
    return t->n_rows;
}

uint32_t api_find(const struct api_table *t, uint32_t path)
{
    return path < t->n_paths && t->by_path[path] ? t->by_path[path] - 1 : (uint32_t)API_NONE;
}

static uint32_t find_of_receiver(const struct map *m, enum value_type receiver, uint32_t word)
{
    struct receiver_key key = {receiver, word};
    const uint64_t *row = map_get(m, key_bytes(&key));
    if (!row && receiver != TYPE_UNKNOWN) {
        key.type = TYPE_UNKNOWN;
        row = map_get(m, key_bytes(&key));
    }
    return row ? (uint32_t)*row : (uint32_t)API_NONE;
}

uint32_t api_find_method(const struct api_table *t, enum value_type receiver, uint32_t word)
{
    return find_of_receiver(&t->methods, receiver, word);
}

uint32_t api_find_attribute(const struct api_table *t, enum value_type receiver, uint32_t word)
{
    return find_of_receiver(&t->attributes, receiver, word);
}

uint32_t api_receivers(const struct api_table *t, uint32_t word)
{
    const uint32_t *bits = node_table__get(&t->receivers, word);
    return bits ? *bits : 0;
}

const struct name_convention *api_conventions(const struct api_table *t, size_t *n)
{
    *n = t->n_conventions;
    return t->conventions;
}

/* A pattern may begin and end with *. */
static bool matches(struct str name, struct str pattern)
{
    bool any_front = str_starts(pattern, STR("*")),
         any_back = pattern.n > 1 && str_ends(pattern, STR("*"));
    struct str middle = str_sub(pattern, any_front, pattern.n - any_back);
    if (any_front && any_back)
        return str_find(name, middle) < name.n;
    if (any_front)
        return str_ends(name, middle);
    return any_back ? str_starts(name, middle) : str_eq(name, middle);
}

enum value_type api_type_of_name(const struct api_table *t, struct str instance_name)
{
    for (size_t i = 0; i < t->n_names; i++)
        if (!t->names[i].module && matches(instance_name, str_of(t->names[i].pattern)))
            return t->names[i].type;
    return TYPE_UNKNOWN;
}

enum value_type api_type_of_word(const struct api_table *t, const struct py_parser *words,
                                 uint32_t word)
{
    struct name_types *k = t->name_types;
    if (k->epoch != py_parser_epoch(words)) {
        k->epoch = py_parser_epoch(words);
        vec_clear(&k->types);
    }
    if (word == WORD_NONE)
        return TYPE_UNKNOWN;
    while (k->types.n <= word)
        vec_push(&k->types, NULL, 0);
    if (!k->types.at[word])
        k->types.at[word] = (uint8_t)(api_type_of_name(t, py_parser_text(words, word)) + 1);
    return (enum value_type)(k->types.at[word] - 1);
}
