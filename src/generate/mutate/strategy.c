/*
 * The list of strategies, and how a case's edits become arms: each line of provenance.edits reads
 * "N18 near-miss-fusion at=Relu near=Conv>Add bucket=gelu-erf ...".
 */
#include "generate/mutate/strategy_p.h"

static const struct strategy_ops *const strategies[] = {&strategy__assay, &strategy__random};

const struct strategy_ops *strategy__find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(strategies); i++) {
        if (str_is(name, strategies[i]->name))
            return strategies[i];
    }
    return NULL;
}

const struct strategy_ops *const *strategy__list(size_t *n)
{
    *n = COUNT_OF(strategies);
    return strategies;
}

void strategy__open(struct strategy *s, const struct strategy_ops *ops)
{
    *s = (struct strategy){.ops = ops};
    arena_init(&s->a);
}

void strategy__close(struct strategy *s)
{
    arena_done(&s->a);
}

uint64_t strategy__arm(enum arm_kind kind, struct str operator_id, struct str what)
{
    return hash_mix64(hash_bytes64(operator_id.at, operator_id.n) + (uint64_t)kind * 0x9e37u) ^
           hash_bytes64(what.at, what.n);
}

/* What the case was worth: failures first, then rewrites not seen before; expensive cases count
 * a little less. Distances between outputs do not count: an engine that reads uninitialised
 * memory changes them from run to run. */
static double worth(const struct reward *r)
{
    double v = 4.0 * MIN(r->n_failing_keys, 2u) + 0.5 * MIN(r->n_new_rewrites, 4u);
    return r->n_macs > (1u << 22) ? 0.7 * v : v;
}

static void reward_line(struct strategy *s, uint64_t epoch, struct str line, double amount)
{
    static const struct {
        const char *key;
        enum arm_kind kind;
    } keys[] = {{"at=", ARM_ANCHOR}, {"near=", ARM_NEAR}, {"bucket=", ARM_BUCKET}};
    struct str id, word;
    if (!str_split(&line, ' ', &id) || id.n == 0 || str_starts(id, STR("seed=")))
        return;
    s->ops->reward(s, epoch, strategy__arm(ARM_OPERATOR, id, STR("")), amount);
    for (int n_words = 0; n_words < 4 && str_split(&line, ' ', &word); n_words++) {
        for (size_t i = 0; i < COUNT_OF(keys); i++) {
            struct str key = str_of(keys[i].key);
            if (str_starts(word, key))
                s->ops->reward(s, epoch,
                               strategy__arm(keys[i].kind, id, str_sub(word, key.n, word.n)),
                               amount);
        }
    }
}

void strategy__reward(struct strategy *s, uint64_t index, const struct reward *r)
{
    struct str rest = r->edits, line;
    double amount = worth(r);
    while (str_split(&rest, '\n', &line))
        reward_line(s, index / GENERATE_EPOCH, line, amount);
}
