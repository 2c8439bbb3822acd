/*
 * Decides what a case's reward is worth and which arms share it, and keeps their totals. Knows no
 * generator; what a strategy makes of a total is the strategy's. Sums are exact as long as rewards
 * are few (multiples of 0.35 below 2^40), and always added in order of index.
 */
#include "generate/learned.h"

#include "base/compiler.h"
#include "base/hash.h"
#include "generate/generate.h"

void learned_done(struct learned *l)
{
    vec_free(&l->arms);
    free(l->slots);
    *l = (struct learned){0};
}

uint64_t learned_arm_id(enum arm_kind kind, struct str operator_id, struct str what)
{
    return hash_mix64(hash_bytes64(operator_id.at, operator_id.n) + (uint64_t)kind * 0x9e37u) ^
           hash_bytes64(what.at, what.n);
}

/* The arm's slot, or the free one where it belongs. Ids are hashes already. */
static uint32_t *slot_of(const struct learned *l, uint64_t id)
{
    size_t at = id & (l->n_slots - 1);
    while (l->slots[at] && l->arms.at[l->slots[at] - 1].id != id)
        at = (at + 1) & (l->n_slots - 1);
    return &l->slots[at];
}

static void grow_slots(struct learned *l)
{
    l->n_slots = l->n_slots ? l->n_slots * 2 : 16;
    l->slots = mem_realloc(l->slots, l->n_slots * sizeof *l->slots);
    memset(l->slots, 0, l->n_slots * sizeof *l->slots);
    for (size_t i = 0; i < l->arms.n; i++)
        *slot_of(l, l->arms.at[i].id) = (uint32_t)i + 1;
}

static struct learned_arm *find_arm(const struct learned *l, uint64_t id)
{
    uint32_t place = l->n_slots ? *slot_of(l, id) : 0;
    return place ? &l->arms.at[place - 1] : NULL;
}

/* NULL: not known, and no room for more. */
static struct learned_arm *add_arm(struct learned *l, uint64_t id)
{
    struct learned_arm *arm = find_arm(l, id);
    if (arm || l->arms.n == LEARNED_ARMS_MAX)
        return arm;
    if ((l->arms.n + 1) * 2 > l->n_slots)
        grow_slots(l);
    vec_push(&l->arms, NULL, (struct learned_arm){.id = id});
    *slot_of(l, id) = (uint32_t)l->arms.n;
    return &vec_last(&l->arms);
}

/* Of the totals of epoch - 2 and earlier only the last is ever asked for again. */
static void forget_old(struct learned_arm *arm, uint64_t epoch)
{
    while (arm->n_totals > 1 && arm->totals[1].epoch + 2 <= epoch) {
        arm->n_totals--;
        memmove(arm->totals, arm->totals + 1, arm->n_totals * sizeof *arm->totals);
    }
}

static void add(struct learned *l, uint64_t epoch, uint64_t id, double amount)
{
    struct learned_arm *arm = add_arm(l, id);
    if (!arm)
        return;
    struct learned_total last =
        arm->n_totals ? arm->totals[arm->n_totals - 1] : (struct learned_total){.epoch = epoch};
    forget_old(arm, epoch);
    if (arm->n_totals == 0 || last.epoch != epoch)
        arm->n_totals++;
    arm->totals[arm->n_totals - 1] = (struct learned_total){epoch, last.n + 1, last.sum + amount};
}

/* What the case was worth: failures first, then rewrites not seen before and cells not met before;
 * expensive cases count a little less. Distances between outputs do not count: an engine that reads
 * uninitialised memory changes them from run to run. */
static double worth(const struct reward *r)
{
    double v = 4.0 * MIN(r->n_failing_keys, 2u) + 0.5 * MIN(r->n_new_rewrites, 4u) +
               0.25 * MIN(r->n_new_cells, 4u);
    return r->n_macs > (1u << 22) ? 0.7 * v : v;
}

static void reward_arm(struct learned *l, uint64_t epoch, uint64_t id, double amount)
{
    add(l, epoch, id, amount);
    add(l, epoch, ARM_ALL, amount);
}

static void reward_line(struct learned *l, uint64_t epoch, struct str line, double amount)
{
    static const struct {
        const char *key;
        enum arm_kind kind;
    } keys[] = {{"at=", ARM_ANCHOR}, {"near=", ARM_NEAR}, {"bucket=", ARM_BUCKET}};
    struct str id, word;
    if (!str_split(&line, ' ', &id) || id.n == 0 || str_starts(id, STR("seed=")))
        return;
    reward_arm(l, epoch, learned_arm_id(ARM_OPERATOR, id, STR("")), amount);
    for (int n_words = 0; n_words < 4 && str_split(&line, ' ', &word); n_words++) {
        for (size_t i = 0; i < COUNT_OF(keys); i++) {
            struct str key = str_of(keys[i].key);
            if (str_starts(word, key))
                reward_arm(l, epoch, learned_arm_id(keys[i].kind, id, str_sub(word, key.n, word.n)),
                           amount);
        }
    }
}

void learned_reward(struct learned *l, uint64_t index, const struct reward *r)
{
    struct str rest = r->edits, line;
    double amount = worth(r);
    while (str_split(&rest, '\n', &line))
        reward_line(l, index / GENERATE_EPOCH, line, amount);
}

struct learned_total learned_total(const struct learned *l, uint64_t epoch, uint64_t id)
{
    const struct learned_arm *arm = find_arm(l, id);
    for (uint32_t i = arm ? arm->n_totals : 0; i-- > 0;)
        if (arm->totals[i].epoch + 2 <= epoch)
            return arm->totals[i];
    return (struct learned_total){0};
}

double learned_factor(const struct learned *l, uint64_t epoch, uint64_t arm)
{
    const double prior = 24;
    struct learned_total all = learned_total(l, epoch, ARM_ALL), own = learned_total(l, epoch, arm);
    if (all.n < 1 || all.sum <= 0)
        return 1;
    double n_all = (double)all.n, n_own = (double)own.n;
    double mean = all.sum / n_all, value = (own.sum + prior * mean) / (n_own + prior);
    double bonus = n_all / (n_all + 40 * n_own); /* 1 for an arm never tried */
    double f = value / mean + 0.5 * bonus;
    return f < 0.25 ? 0.25 : f > 4 ? 4 : f;
}

/* One arm a line: "11489224601221905661 12:40:0x1.4p+3 13:41:0x1.8p+3", epoch:n:sum. */
void learned_save(const struct learned *l, struct strbuf *out)
{
    for (size_t i = 0; i < l->arms.n; i++) {
        const struct learned_arm *arm = &l->arms.at[i];
        strbuf_printf(out, "%llu", (unsigned long long)arm->id);
        for (uint32_t k = 0; k < arm->n_totals; k++)
            strbuf_printf(out, " %llu:%llu:%a", (unsigned long long)arm->totals[k].epoch,
                          (unsigned long long)arm->totals[k].n, arm->totals[k].sum);
        strbuf_adds(out, "\n");
    }
}

static bool read_total(struct str word, struct learned_total *out)
{
    struct str part;
    return str_split(&word, ':', &part) && str_to_u64(part, &out->epoch) &&
           str_split(&word, ':', &part) && str_to_u64(part, &out->n) &&
           str_to_double(word, &out->sum);
}

static bool read_arm(struct learned *l, struct str line)
{
    struct str word;
    uint64_t id;
    if (!str_split(&line, ' ', &word) || !str_to_u64(word, &id))
        return false;
    struct learned_arm *arm = add_arm(l, id);
    if (!arm || arm->n_totals > 0)
        return false;
    while (str_split(&line, ' ', &word)) {
        if (arm->n_totals == LEARNED_TOTALS || !read_total(word, &arm->totals[arm->n_totals]))
            return false;
        arm->n_totals++;
    }
    return arm->n_totals > 0;
}

bool learned_load(struct learned *l, struct str text, struct err *e)
{
    struct str line;
    size_t n = 0;
    learned_done(l);
    while (str_split(&text, '\n', &line)) {
        n++;
        if (line.n == 0 || read_arm(l, line))
            continue;
        learned_done(l);
        return err_set(e, ERR_DATA, "what the campaign learned: line %zu is no arm with its totals",
                       n);
    }
    return true;
}
