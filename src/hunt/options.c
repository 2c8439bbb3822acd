/* Decides which options are a campaign's identity. Folders, limits and numbers of pilots are not:
 * they may change when the campaign is resumed. */
#include "hunt/options.h"

#include "base/compiler.h"
#include "base/share.h"
#include "base/vec.h"
#include "target/target.h"

/* The lists of names, by key. */
static const struct {
    const char *key, *flag;
    size_t offset; /* of the struct hunt_names */
    enum hunt_asked asked;
} lists[] = {
    {"generators", "--generator", offsetof(struct hunt_options, generators), HUNT_ASKED_GENERATORS},
    {"models", "--model", offsetof(struct hunt_options, models), HUNT_ASKED_MODELS},
    {"operators", "--operator", offsetof(struct hunt_options, operators), HUNT_ASKED_OPERATORS},
    {"oracles", "--oracle", offsetof(struct hunt_options, oracles), HUNT_ASKED_ORACLES},
    {"targets", "--target", offsetof(struct hunt_options, targets), HUNT_ASKED_TARGETS},
};

static const struct hunt_names *names_at(const struct hunt_options *o, size_t list)
{
    return (const struct hunt_names *)(const void *)((const char *)o + lists[list].offset);
}

/* Writes which language model in which version is queried how, and where its replies are. */
static void put_llm(const struct llm_options *llm, struct json_out *w)
{
    size_t n;
    const struct share_file *files = share_list("prompts/", &n);
    struct hasher h;
    char hex[HASH_HEX_SIZE];
    hasher_init(&h);
    for (size_t i = 0; i < n; i++)
        hasher_add_str(&h, files[i].bytes);
    const struct hash prompts = hasher_done(&h);
    hash_to_hex(&prompts, hex);
    json_key(w, "llm");
    json_begin_object(w);
    json_pair_cstr(w, "model", llm->model ? llm->model : "default");
    json_pair_cstr(w, "cassettes", llm->cassettes);
    json_pair_cstr(w, "prompts", hex);
    json_end_object(w);
}

/* The model's server is no part of a campaign: a resumed one may use another. */
static void get_llm(const struct json *j, struct arena *a, struct hunt_options *o)
{
    const struct json *was = json_get(j, "llm");
    struct llm_options *llm = arena_new(a, struct llm_options);
    *llm = o->llm ? *o->llm : (struct llm_options){.url = "cassette"};
    o->llm = was ? llm : NULL;
    if (!was)
        return;
    llm->model = str_dup(a, json_get_str(was, "model", STR("default")));
    llm->cassettes = str_dup(a, json_get_str(was, "cassettes", STR("")));
}

struct generate_options hunt_generate_options(const struct hunt_options *o)
{
    return (struct generate_options){.seed = o->seed,
                                     .strategy = o->strategy,
                                     .seed_models = o->models.n ? o->models.at : NULL,
                                     .n_seed_models = o->models.n,
                                     .operators = o->operators.n ? o->operators.at : NULL,
                                     .n_operators = o->operators.n,
                                     .translate_to = o->translate_to,
                                     .targets = o->targets.at,
                                     .n_targets = o->targets.n,
                                     .lanes = o->lanes,
                                     .llm = o->llm};
}

void hunt_options_to_json(const struct hunt_options *o, struct json_out *w)
{
    json_begin_object(w);
    json_pair_cstr(w, "strategy", o->strategy);
    json_pair_cstr(w, "to", o->translate_to);
    json_pair_u64(w, "lanes", o->lanes);
    json_pair_cstr(w, "cpu", o->cpu ? o->cpu : "");
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const struct hunt_names *names = names_at(o, i);
        json_key(w, lists[i].key);
        json_begin_array(w);
        for (size_t k = 0; k < names->n; k++)
            json_put_cstr(w, names->at[k]);
        json_end_array(w);
    }
    if (o->llm)
        put_llm(o->llm, w);
    json_end_object(w);
}

static bool read_list(const struct json *j, const char *key, struct arena *a,
                      struct hunt_names *out, struct err *e)
{
    const struct json *list;
    if (!json_need(j, key, JSON_KIND_ARRAY, &list, e))
        return false;
    const char **names = arena_new_array(a, const char *, list->n);
    for (size_t i = 0; i < list->n; i++)
        names[i] = str_dup(a, list->items[i].string);
    *out = (struct hunt_names){names, list->n};
    return true;
}

bool hunt_options_from_json(const struct json *j, struct arena *a, struct hunt_options *o,
                            struct err *e)
{
    struct str strategy;
    if (!json_need_str(j, "strategy", &strategy, e))
        return false;
    o->strategy = str_dup(a, strategy);
    o->translate_to = str_dup(a, json_get_str(j, "to", STR("keras")));
    o->lanes = (unsigned)json_get_i64(j, "lanes", 0);
    o->cpu = str_dup(a, json_get_str(j, "cpu", STR("")));
    get_llm(j, a, o);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (!read_list(j, lists[i].key, a,
                       (struct hunt_names *)(void *)((char *)o + lists[i].offset), e))
            return false;
    return true;
}

static bool refuse(const char *flag, const char *asked, const char *old, struct err *e)
{
    return err_set(e, ERR_USAGE,
                   "--resume goes on with %s %s, not with %s %s; leave it out, or begin anew in "
                   "another --out",
                   flag, old[0] ? old : "none", flag, asked[0] ? asked : "none");
}

static const char *joined(const struct hunt_names *names, struct arena *a)
{
    struct strbuf b = {0};
    for (size_t i = 0; i < names->n; i++)
        strbuf_printf(&b, "%s%s", i ? "," : "", names->at[i]);
    const char *text = strbuf_dup(&b, a).at;
    strbuf_done(&b);
    return text;
}

static bool same_names(const struct hunt_names *x, const struct hunt_names *y)
{
    bool same = x->n == y->n;
    for (size_t i = 0; same && i < x->n; i++)
        same = strcmp(x->at[i], y->at[i]) == 0;
    return same;
}

/* Is the target among the full names ("ENGINE@VERSION/MODE")? */
static bool is_named(const struct hunt_names *names, const struct target *t, bool any_version,
                     struct arena *a)
{
    struct str wanted = str_of(target_full_name(t, a));
    size_t mode = str_find_byte(wanted, '/');
    for (size_t i = 0; i < names->n; i++) {
        struct str name = str_of(names->at[i]), rest = name, engine;
        if (str_eq(name, wanted) ||
            (any_version && str_split(&rest, '@', &engine) && str_eq(engine, t->id.engine) &&
             str_eq(str_sub(rest, str_find_byte(rest, '/'), rest.n),
                    str_sub(wanted, mode, wanted.n))))
            return true;
    }
    return false;
}

/* A campaign keeps full names ("ort@1.31.1/off"); the user may give short ones ("ort"). */
static bool same_targets(const struct hunt_options *asked, const struct hunt_names *old,
                         struct arena *a, bool *same, struct err *e)
{
    struct targets all;
    size_t n = 0;
    *same = true;
    if (!targets_load(asked->home, a, &all, e))
        return false;
    for (size_t i = 0; i < asked->targets.n; i++) {
        struct target_list some = {0};
        const char *name = asked->targets.at[i];
        if (!targets_resolve_hunt(&all, name, a, &some, e))
            return false;
        for (size_t k = 0; k < some.n; k++)
            *same &= is_named(old, some.at[k], strchr(name, '@') == NULL, a);
        n += some.n;
    }
    *same &= n == old->n;
    return true;
}

static bool lists_agree(const struct hunt_options *asked, const struct hunt_options *old,
                        size_t list, struct arena *a, struct err *e)
{
    const struct hunt_names *x = names_at(asked, list), *y = names_at(old, list);
    bool same = same_names(x, y);
    if (!(asked->asked & lists[list].asked) || same)
        return true;
    if (lists[list].asked == HUNT_ASKED_TARGETS && !asked->pilot_entry && /* a double has none */
        !same_targets(asked, y, a, &same, e))
        return false;
    return same || refuse(lists[list].flag, joined(x, a), joined(y, a), e);
}

/* Another version makes other cases, and another CPU other bits of the reference: neither goes on
 * with a campaign, whose cases and bugs would be those of no campaign. Empty: not known. */
static bool same_maker(const struct hunt_options *now, const struct hunt_options *old,
                       struct err *e)
{
    const struct {
        const char *what, *now, *old;
    } rows[] = {{"version", now->version, old->version},
                {"the vector extensions of a CPU,", now->cpu, old->cpu}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].now[0] && rows[i].old[0] && strcmp(rows[i].now, rows[i].old) != 0)
            return err_set(
                e, ERR_USAGE,
                "--resume: the campaign was begun with %s %s, here it is %s; go on there, "
                "or begin anew in another --out",
                rows[i].what, rows[i].old, rows[i].now);
    return true;
}

bool hunt_options_agree(const struct hunt_options *asked, const struct hunt_options *old,
                        struct arena *a, struct err *e)
{
    if (!same_maker(asked, old, e))
        return false;
    if (asked->asked & HUNT_ASKED_SEED && asked->seed != old->seed)
        return refuse("--seed", arena_printf(a, "%llu", (unsigned long long)asked->seed),
                      arena_printf(a, "%llu", (unsigned long long)old->seed), e);
    if (asked->asked & HUNT_ASKED_STRATEGY && strcmp(asked->strategy, old->strategy) != 0)
        return refuse("--strategy", asked->strategy, old->strategy, e);
    if (asked->asked & HUNT_ASKED_TO && strcmp(asked->translate_to, old->translate_to) != 0)
        return refuse("--to", asked->translate_to, old->translate_to, e);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (!lists_agree(asked, old, i, a, e))
            return false;
    return true;
}

void hunt_options_complete(struct hunt_options *o)
{
    static const char *const mutate[] = {"mutate"}, *const ort[] = {"ort"};
    if (o->generators.n == 0)
        o->generators = (struct hunt_names){mutate, 1};
    if (o->targets.n == 0)
        o->targets = (struct hunt_names){ort, 1};
    if (!o->strategy)
        o->strategy = "assay";
    if (!o->translate_to)
        o->translate_to = "keras";
}
