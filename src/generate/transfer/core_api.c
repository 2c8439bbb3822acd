/*
 * Decides which function an issue is about, and by which names the target has it. Must not know how
 * programs are translated. The rule stands for reading the issue, as the paper's authors did.
 */
#include "generate/transfer/core_api.h"

#include "base/compiler.h"
#include "generate/transfer/distinction.h"
#include "generate/transfer/translate_p.h"

struct str core_api_in_pairs(struct str api, struct arena *a)
{
    static const char *const rows[][2] = {{"tensorflow.keras.", "keras."}, {"tensorflow.", "tf."}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_starts(api, str_of(rows[i][0])))
            return str_of(arena_printf(a, "%s" STR_FMT, rows[i][1],
                                       STR_ARG(str_sub(api, strlen(rows[i][0]), api.n))));
    return api;
}

/* Functions that make inputs are in most programs, and no issue is about them. */
static bool makes_inputs(const struct framework_table *t, struct str api, struct arena *a)
{
    static const char *const lists[] = {"factories", "float_factories"};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        struct text_list found = framework_table_list(t, lists[i], a);
        for (size_t k = 0; k < found.n; k++)
            if (str_eq(found.at[k], api))
                return true;
    }
    return false;
}

/* Where the program calls the function for the last time, plus 1; 0: nowhere. */
static size_t last_call(struct str code, struct str api, struct arena *a)
{
    size_t at = 0;
    struct str called = str_of(arena_printf(a, STR_FMT "(", STR_ARG(translate__last_name(api))));
    for (size_t n; (n = str_find(str_sub(code, at, code.n), called)) < code.n - at;)
        at += n + 1;
    return at;
}

struct str core_api_of(const struct issue_record *r, const struct reader *readers, size_t n_readers,
                       struct arena *a)
{
    struct str core = {0};
    size_t last = 0;
    for (size_t i = 0; i < r->n_apis; i++) {
        size_t at = last_call(r->code, r->apis[i], a);
        bool is_input = false;
        for (size_t k = 0; k < n_readers; k++)
            is_input = is_input || makes_inputs(&readers[k].table, r->apis[i], a);
        if (at > last && !is_input) {
            last = at;
            core = r->apis[i];
        }
    }
    return core;
}

struct str core_api_canonical(const struct json *words, struct str name, struct arena *a)
{
    const struct json *aliases = json_get(words, "aliases");
    for (size_t i = 0; aliases && i < aliases->n; i++) {
        struct str from = aliases->keys[i];
        if (str_starts(name, from))
            return str_of(arena_printf(a, STR_FMT STR_FMT, STR_ARG(aliases->items[i].string),
                                       STR_ARG(str_sub(name, from.n, name.n))));
    }
    return name;
}

/* Names in the target ---------------------------------------------------------------------------*/

static void add(struct core_api_names *all, const struct json *words, struct str name,
                struct arena *a)
{
    name = core_api_canonical(words, name, a);
    if (!core_api_has(all, name))
        vec_push(&all->list, a, name);
}

/* Is it a name of one of the target's packages: not "np.asarray", not "x.shape"? */
static bool is_of_target(const struct translator *t, const struct json *words, struct str name)
{
    const struct json *rows = json_get(words, "libraries");
    for (size_t i = 0; rows && i < rows->n; i++)
        for (size_t k = 0; str_eq(rows->keys[i], t->target) && k < rows->items[i].n; k++) {
            struct str package = rows->items[i].items[k].string;
            if (str_starts(name, package) && name.n > package.n && name.at[package.n] == '.')
                return true;
        }
    return false;
}

/* The target's names in a row or in the helper that it calls: "keras.ops.eye" of
 * "keras.ops.eye(${0}, dtype=None)". */
static void add_row(struct core_api_names *all, const struct translator *t,
                    const struct json *words, struct str row, struct arena *a)
{
    for (size_t i = 0; i < row.n;) {
        size_t end = i;
        while (end < row.n && (str_is_word(row.at[end]) || row.at[end] == '.'))
            end++;
        struct str word = str_sub(row, i, end);
        if (is_of_target(t, words, core_api_canonical(words, word, a)))
            add(all, words, word, a);
        i = end + 1;
    }
}

static void add_names(struct core_api_names *all, const struct json *words,
                      const struct json *names, struct arena *a)
{
    for (size_t i = 0; names && i < names->n; i++)
        add(all, words, names->items[i].string, a);
}

void core_api_targets(const struct translator *t, const struct json *words, struct str api,
                      struct arena *a, struct core_api_names *out)
{
    *out = (struct core_api_names){.list = {0}};
    if (!api.n)
        return;
    struct str row = distinction_of(t, api).row;
    add_row(out, t, words, row, a);
    add_row(out, t, words, distinction_helper(t, row, a), a);
    for (size_t i = 0; i < t->pairs.n; i++) {
        const struct pair_file *f = &t->pairs.at[i];
        enum direction way = translate__direction(t, f);
        bool on = way == DIRECTION_ON;
        for (size_t k = 0; way != DIRECTION_NONE && k < f->n; k++) {
            const struct pair_row *r = &f->rows[k];
            if (r->is_verified && pair_has_name(on ? r->names_a : r->names_b, api))
                add_names(out, words, on ? r->names_b : r->names_a, a);
        }
    }
}

bool core_api_has(const struct core_api_names *all, struct str name)
{
    for (size_t i = 0; i < all->list.n; i++)
        if (str_eq(all->list.at[i], name))
            return true;
    return false;
}

bool core_api_has_method(const struct core_api_names *all, struct str method)
{
    for (size_t i = 0; i < all->list.n; i++) {
        struct str name = all->list.at[i], last = translate__last_name(name);
        struct str owner = str_sub(name, 0, name.n - last.n);
        if (str_ends(owner, STR(".Tensor.")) && str_eq(last, method))
            return true;
    }
    return false;
}
