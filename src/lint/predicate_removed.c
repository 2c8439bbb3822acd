/* removed: a call of an API that the project's version of PyTorch warns of or no longer has. The
 * list is data (share/rules/api/removed.json). Binds the call; "{@}" in the message is what to use
 * instead. Without a known version nothing is found. */
#include "lint/predicate_p.h"
#include "lint/rule_p.h"

struct removed_predicate {
    uint8_t call;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct removed_predicate *f = arena_new(c->arena, struct removed_predicate);
    *out = f;
    return compile__capture(c, j, "removed", &f->call, e);
}

static struct str advice(const struct match *m, const struct removed_api *api)
{
    struct arena *a = m->file->arena;
    bool is_gone = api->gone && m->file->torch_version >= api->gone;
    uint32_t version = is_gone ? api->gone : api->since;
    return str_of(arena_printf(a, "%s %s PyTorch %u.%u: use " STR_FMT, api->name,
                               is_gone ? "is gone since" : "is deprecated since", version / 1000,
                               version % 1000, STR_ARG(api->use)));
}

static enum truth try_api(struct match *m, const struct removed_predicate *f,
                          const struct removed_api *api, const struct rest *r)
{
    const struct lint_file *file = m->file;
    enum truth t = TRUTH_FALSE;
    uint32_t path = paths_find(file->names.paths, str_of(api->name)),
             word = paths_word(file->names.paths, path);
    uint32_t call = word < file->n_words ? file->call_first[word] : 0;
    for (; call && !match_is_settled(m, t); call = file->next[call]) {
        struct name_ref ref =
            names_resolve(&file->names, tree_child(&file->tree, call, FIELD_FUNCTION));
        if (!ref.is_exact || ref.path != path)
            continue;
        struct capture at = capture_of_node(call);
        m->note = advice(m, api);
        t = truth_or(t, match_bind(m, f->call, &at, ref.confidence, TRUTH_TRUE, r));
    }
    return t;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct rule_set *s = m->file->rules;
    enum truth t = TRUTH_FALSE;
    for (size_t i = 0; i < s->removed.n && !match_is_settled(m, t); i++)
        if (m->file->torch_version >= s->removed.at[i].since)
            t = truth_or(t, try_api(m, data, &s->removed.at[i], r));
    return t;
}

static const char *const keys[] = {"removed"};
const struct predicate_kind predicate__removed = {"removed", keys, COUNT_OF(keys), compile, run};
