/* context: facts about the whole file (cuda, test, notebook, fragment, framework, torch version)
 * and about the names of an object and of the function around it. */
#include "lint/predicate_p.h"

struct context_predicate {
    uint32_t facts;
    uint8_t of;
    enum { CONTEXT_FACT, CONTEXT_NAME, CONTEXT_FUNCTION, CONTEXT_TORCH, CONTEXT_MODULE } what;
    const struct str *like;
    size_t n_like;
    uint32_t version;
    bool at_least;
};

static const struct {
    const char *name;
    uint32_t fact;
} facts[] = {
    {"test", FILE_FACT_TEST},           {"notebook", FILE_FACT_NOTEBOOK},
    {"fragment", FILE_FACT_FRAGMENT},   {"cuda", FILE_FACT_CUDA},
    {"framework", FILE_FACT_FRAMEWORK}, {"star-import", FILE_FACT_STAR_IMPORT},
    {"damaged", FILE_FACT_DAMAGED},
};

/* Reads ">=1.13" or "<2.0". */
static bool compile_version(struct compile *c, const struct json *j, struct context_predicate *f,
                            struct err *e)
{
    struct str text = json_get_str(j, "version", STR(""));
    f->at_least = str_starts(text, STR(">="));
    struct str number = str_sub(text, f->at_least ? 2 : 1, text.n);
    size_t dot = str_find_byte(number, '.');
    uint64_t major, minor;
    if ((!f->at_least && !str_starts(text, STR("<"))) ||
        !str_to_u64(str_sub(number, 0, dot), &major) ||
        !str_to_u64(str_sub(number, dot + 1, number.n), &minor))
        return compile__fail(c, j, e, "version is \">=1.13\" or \"<2.0\"");
    f->version = (uint32_t)(major * 1000 + minor);
    return true;
}

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct context_predicate *f = arena_new(c->arena, struct context_predicate);
    struct str name = json_get_str(j, "context", STR(""));
    *out = f;
    if (!compile__capture(c, j, "of", &f->of, e) ||
        !compile__strings(c, j, "like", &f->like, &f->n_like, e))
        return false;
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        if (str_is(name, facts[i].name))
            f->facts = facts[i].fact;
    if (f->facts)
        return true;
    if (str_is(name, "torch")) {
        f->what = CONTEXT_TORCH;
        return compile_version(c, j, f, e);
    }
    f->what = str_is(name, "name") ? CONTEXT_NAME : CONTEXT_FUNCTION;
    if (f->what == CONTEXT_FUNCTION && !str_is(name, "function"))
        return compile__fail(c, j, e, "unknown context \"" STR_FMT "\"", STR_ARG(name));
    return f->of != CAPTURE_NO || compile__fail(c, j, e, "context needs \"of\"");
}

/* Does a component of the object's or expression's name fit: self.ema_model, teacher.encoder? */
static enum truth name_fits(struct match *m, const struct context_predicate *f)
{
    struct strbuf text = {0};
    uint32_t object = m->captures[f->of].object;
    if (object == OBJECT_NONE && m->captures[f->of].kind == CAPTURE_NODE)
        object = capture__object(m, f->of);
    if (object != OBJECT_NONE)
        types_object_text(&m->file->types, object, &text);
    bool fits = text.n && match_is_like(f->like, f->n_like, strbuf_str(&text));
    if (!fits && capture__node(m, f->of))
        fits =
            match_is_like(f->like, f->n_like, tree_text(&m->file->tree, capture__node(m, f->of)));
    strbuf_done(&text);
    return truth_of(fits);
}

/* Does the name of a function or class around the node fit? */
static enum truth function_fits(const struct match *m, const struct context_predicate *f)
{
    const struct tree *t = &m->file->tree;
    for (uint32_t n = capture__node(m, f->of); n; n = tree_node(t, n)->parent) {
        if (tree_kind(t, n) != PY_FUNCTION && tree_kind(t, n) != PY_CLASS)
            continue;
        uint32_t name = tree_child(t, n, FIELD_NAME);
        if (name && match_is_like(f->like, f->n_like, tree_text(t, name)))
            return TRUTH_TRUE;
    }
    return TRUTH_FALSE;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct context_predicate *f = data;
    uint32_t torch = m->file->torch_version;
    enum truth t = TRUTH_FALSE;
    switch (f->what) {
    case CONTEXT_NAME:
        t = capture__is_bound(m, f->of) ? name_fits(m, f) : TRUTH_UNKNOWN;
        break;
    case CONTEXT_FUNCTION:
        t = function_fits(m, f);
        break;
    case CONTEXT_TORCH:
        t = !torch ? TRUTH_UNKNOWN : truth_of((torch >= f->version) == f->at_least);
        break;
    default:
        t = truth_of((m->file->facts & f->facts) != 0);
    }
    return match_go(m, CONFIDENCE_HIGH, t, r);
}

static const char *const keys[] = {"context", "of", "like", "version"};
const struct predicate_kind predicate__context = {"context", keys, COUNT_OF(keys), compile, run};
