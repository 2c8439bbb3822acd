/* Runs the shim engine for tests of reduce/. */
#include "unit/reduce/shim_run.h"

#include "unit/test.h"

static struct target_id target(const char *mode)
{
    return (struct target_id){.engine = STR("shim"),
                              .version = STR("1"),
                              .mode = str_of(mode),
                              .family = STR("shim"),
                              .n_threads = 1};
}

static struct observation *run_both(const struct plant *p, const struct tcase *c, struct arena *a)
{
    struct observation *seen = arena_new_array(a, struct observation, 2);
    struct shim honest = {.noise_seed = 21, .target = target("off")};
    struct shim faulty = {.plant = p, .noise_seed = 22, .target = target("all")};
    shim_run(&honest, c->graph, &c->input_sets[0], a, &seen[0]);
    shim_run(&faulty, c->graph, &c->input_sets[0], a, &seen[1]);
    return seen;
}

static struct verdicts judge_both(const struct evidence *ev, struct arena *a)
{
    struct verdicts v;
    struct err e = {0};
    if (!judge_case(&(struct judge_options){0}, ev, a, &v, &e))
        fail_msg("%s", e.text);
    return v;
}

static struct evidence gather(const struct plant *p, const struct tcase *c, struct arena *a)
{
    struct err e = {0};
    struct evidence ev = {.c = c, .observations = run_both(p, c, a), .n_observations = 2};
    if (!reference_make(c, a, &ev.refs, &e))
        fail_msg("%s", e.text);
    return ev;
}

struct keys shim_keys(const struct plant *p, const struct tcase *c, struct arena *a)
{
    struct evidence ev = gather(p, c, a);
    struct verdicts v = judge_both(&ev, a);
    struct keys k;
    bucket_keys(&ev, &v, a, &k);
    return k;
}

const struct verdict *shim_failure(const struct plant *p, const struct tcase *c,
                                   struct reference **refs, struct arena *a)
{
    struct evidence ev = gather(p, c, a);
    struct verdicts v = judge_both(&ev, a);
    *refs = ev.refs;
    for (size_t i = 0; i < v.n; i++)
        if (v.at[i].decision == DECISION_FAIL && str_is(v.at[i].target.mode, "all"))
            return &v.at[i];
    return NULL;
}

static bool run_cases(void *ctx, const struct tcase *const *cases, size_t n, struct arena *a,
                      struct observation *out, struct err *e)
{
    struct shim faulty = {.plant = ctx, .noise_seed = 23, .target = target("all")};
    (void)e;
    for (size_t i = 0; i < n; i++)
        shim_run(&faulty, cases[i]->graph, &cases[i]->input_sets[0], a, &out[i]);
    return true;
}

struct localise_runner shim_runner(const struct plant *p)
{
    return (struct localise_runner){run_cases, (void *)(uintptr_t)p};
}
