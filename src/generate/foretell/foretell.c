/*
 * The generator foretell: a documented call of torch with one parameter changed, given to
 * torch.compile's tracing back end, which predicts shapes and types before anything runs. A wrong
 * prediction, or a call that only one of tracing and eager accepts, is a difference between the
 * modes of a program. The case of an index is a pure function of seed and index; nothing is
 * learned. Must not know engines.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "base/share.h"
#include "generate/foretell/change.h"
#include "generate/generate.h"

enum { FORETELL_VERSION = 3, TRIES = 16 };

struct foretell {
    struct generator base;
    struct arena a;
    uint64_t seed;
    struct api_calls seeds;
    struct generate_counts counts;
};

extern const struct generator_ops foretell_generator;

static void foretell_close(struct generator *base)
{
    struct foretell *g = (struct foretell *)base;
    arena_done(&g->a);
    free(g);
}

/* Leaves out what two runs need not agree on, modules, whose weights are drawn, and steps of
 * optimisers. */
static void keep_repeatable(struct api_calls *seeds)
{
    size_t n = 0;
    for (size_t i = 0; i < seeds->n; i++)
        if (!seeds->at[i].is_class && !seeds->at[i].is_step && !seeds->at[i].is_random)
            seeds->at[n++] = seeds->at[i];
    seeds->n = n;
}

static bool foretell_open(const struct generate_options *o, struct generator **out, struct err *e)
{
    struct foretell *g = mem_alloc(sizeof *g);
    struct str text;
    *g = (struct foretell){.base = {&foretell_generator}, .seed = o->seed};
    arena_init(&g->a);
    bool ok = share_find("foretell/torch.jsonl", &text)
                  ? api_calls_read(text, "foretell/torch.jsonl", &g->a, &g->seeds, e)
                  : err_set(e, ERR_INTERNAL, "foretell/torch.jsonl is not compiled in");
    if (!ok) {
        foretell_close(&g->base);
        return false;
    }
    keep_repeatable(&g->seeds);
    *out = &g->base;
    return true;
}

/* Writes the call as a program: its tensors are the arguments of a compiled function. */
static void write_program(const struct api_call *c, struct strbuf *out)
{
    size_t n = 0;
    strbuf_adds(out, "import torch\n\n");
    for (size_t i = 0; i < c->n_arguments; i++) {
        if (c->arguments[i].kind != ARGUMENT_TENSOR)
            continue;
        strbuf_printf(out, "x%zu = ", n++);
        argument_print(c->arguments[i].value, true, out);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "\n\ndef call(");
    for (size_t i = 0; i < n; i++)
        strbuf_printf(out, "%sx%zu", i ? ", " : "", i);
    strbuf_adds(out, "):\n    return ");
    api_call_print(c, CALL_TENSORS_NAMED, out);
    strbuf_adds(out, "\n\n\ncompiled = torch.compile(call, backend=\"aot_eager\")\ncompiled(");
    for (size_t i = 0; i < n; i++)
        strbuf_printf(out, "%sx%zu", i ? ", " : "", i);
    strbuf_adds(out, ")\n");
}

static bool draw(struct foretell *g, struct rng *r, struct arena *a, struct api_call *changed,
                 struct strbuf *edits)
{
    struct changes all;
    const struct api_call *seed = &g->seeds.at[rng_below(r, g->seeds.n)];
    changes_of(seed, a, &all);
    if (!all.n)
        return false;
    const struct change *by = &all.at[rng_below(r, all.n)];
    if (!change_apply(seed, by, a, changed)) {
        g->counts.n_discarded_noop++;
        return false;
    }
    strbuf_printf(edits, STR_FMT "\n%s of argument %zu\n", STR_ARG(seed->symbol),
                  change_name(by->kind), by->at);
    g->counts.n_edits++;
    return true;
}

static bool foretell_next(struct generator *base, uint64_t index, struct arena *a,
                          struct tcase **out, struct err *e)
{
    struct foretell *g = (struct foretell *)base;
    struct strbuf edits = {0}, text = {0};
    struct api_call changed;
    struct rng r;
    bool found = false;
    (void)e;
    rng_init(&r, g->seed, RNG_CASE, index);
    for (int i = 0; !found && i < TRIES; i++)
        found = draw(g, &r, a, &changed, &edits);
    *out = NULL;
    if (found) {
        struct program *p = arena_new(a, struct program);
        struct provenance from = {.generator = foretell_generator.name,
                                  .version = FORETELL_VERSION,
                                  .seed = g->seed,
                                  .index = index,
                                  .edits = strbuf_dup(&edits, a)};
        write_program(&changed, &text);
        p->source = strbuf_dup(&text, a);
        p->framework = STR("torch");
        *out = case_of_program(p, arena_new(a, struct tensors), 1, from, a);
        g->counts.n_emitted++;
    } else {
        g->counts.n_gave_up++;
    }
    strbuf_done(&text);
    strbuf_done(&edits);
    return true;
}

static void foretell_counts(const struct generator *base, struct generate_counts *out)
{
    *out = ((const struct foretell *)base)->counts;
}

const struct generator_ops foretell_generator = {
    .name = "foretell",
    .help = "documented calls with one parameter changed, traced by torch.compile and run",
    .version = FORETELL_VERSION,
    .open = foretell_open,
    .next = foretell_next,
    .counts = foretell_counts,
    .close = foretell_close,
};
