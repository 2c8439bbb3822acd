/*
 * Reaching definitions by bit-vectors, one row per block, in a worklist until nothing changes
 * (Kildall). Definitions of one variable are adjacent, so a write clears one run of bits.
 * Exceptional edges leave at statement boundaries, where the CFG has split its blocks, so a handler
 * sees each prefix of the body. Beyond FLOW_MAX_BITS nothing is solved and is_known stays false.
 */
#include "python/flow_p.h"

struct write {
    uint32_t step, def;
};

struct solver {
    struct flow *f;
    const struct cfg *c;
    size_t n_words;
    uint64_t *in;          /* by block */
    struct write *writes;  /* by step */
    uint32_t *first_write; /* two per block: first and end */
};

static void clear_run(uint64_t *bits, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n;) {
        if (i % 64 == 0 && first + n - i >= 64) {
            bits[i / 64] = 0;
            i += 64;
        } else {
            bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
            i++;
        }
    }
}

static void write_def(const struct flow *f, uint64_t *bits, uint32_t def)
{
    const struct flow_def *d = &f->defs[def];
    if (d->kind != DEF_MAY)
        clear_run(bits, f->vars[d->var].first_def, f->vars[d->var].n_defs);
    bits[def / 64] |= UINT64_C(1) << (def % 64);
}

static int compare_writes(const void *x, const void *y)
{
    const struct write *a = x, *b = y;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->def > b->def) - (a->def < b->def);
}

static void order_writes(struct solver *s, struct arena *work)
{
    uint32_t n = 0;
    s->writes = arena_new_array(work, struct write, s->f->n_defs);
    for (uint32_t d = 0; d < s->f->n_defs; d++)
        if (s->f->defs[d].step != STEP_NONE)
            s->writes[n++] = (struct write){s->f->defs[d].step, d};
    qsort(s->writes, n, sizeof *s->writes, compare_writes);
    /* A block's steps follow each other, but blocks are not in the order of their steps. */
    s->first_write = arena_new_array(work, uint32_t, s->c->n_blocks * 2);
    for (uint32_t b = 0; b < s->c->n_blocks; b++) {
        uint32_t low = 0, high = n;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (s->writes[middle].step < s->c->blocks[b].first)
                low = middle + 1;
            else
                high = middle;
        }
        s->first_write[b * 2] = low;
        while (low < n && s->writes[low].step < s->c->blocks[b].end)
            low++;
        s->first_write[b * 2 + 1] = low;
    }
}

static void run_block(const struct solver *s, uint32_t block, uint64_t *bits)
{
    memcpy(bits, s->in + block * s->n_words, s->n_words * sizeof *bits);
    for (uint32_t w = s->first_write[block * 2]; w < s->first_write[block * 2 + 1]; w++)
        write_def(s->f, bits, s->writes[w].def);
}

/* Cost: words copied and joined, and writes. */
static uint64_t block_work(const struct solver *s, uint32_t block)
{
    return (1 + s->c->blocks[block].n_out) * (s->n_words + 1) + s->first_write[block * 2 + 1] -
           s->first_write[block * 2];
}

static bool join(uint64_t *to, const uint64_t *from, size_t n_words)
{
    uint64_t changed = 0;
    for (size_t i = 0; i < n_words; i++) {
        changed |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return changed != 0;
}

/* False: the file's budget is exhausted. */
static bool iterate(struct solver *s, struct arena *work)
{
    uint32_t n_blocks = s->c->n_blocks, head = 0, n = 0;
    uint32_t *queue = arena_new_array(work, uint32_t, n_blocks);
    bool *queued = arena_new_array(work, bool, n_blocks);
    uint64_t *bits = arena_new_array(work, uint64_t, s->n_words);
    for (uint32_t b = 0; b < n_blocks; b++) {
        queue[n++] = b;
        queued[b] = true;
    }
    for (uint32_t d = 0; d < s->f->n_defs; d++)
        if (s->f->defs[d].kind == DEF_ENTRY)
            s->in[CFG_ENTRY * s->n_words + d / 64] |= UINT64_C(1) << (d % 64);
    while (n) {
        uint32_t block = queue[head];
        head = (head + 1) % n_blocks;
        n--;
        queued[block] = false;
        if (!names_spend(s->c->names, block_work(s, block)))
            return false;
        run_block(s, block, bits);
        for (uint32_t i = 0; i < s->c->blocks[block].n_out; i++) {
            uint32_t to = s->c->out[s->c->blocks[block].first_out + i].to;
            if (join(s->in + to * s->n_words, bits, s->n_words) && !queued[to]) {
                queue[(head + n++) % n_blocks] = to;
                queued[to] = true;
            }
        }
    }
    return true;
}

/* The variable whose definitions reach a read: itself, or its longest prefix that has any. */
static uint32_t shown_var(const struct flow *f, uint32_t var)
{
    while (!f->vars[var].n_defs)
        var = f->vars[var].prefix;
    return var;
}

struct lists {
    VEC(uint32_t) defs;
    uint32_t *first;
};

static void collect(struct lists *l, struct arena *work, const struct flow *f, const uint64_t *bits,
                    uint32_t var)
{
    const struct flow_var *v = &f->vars[shown_var(f, var)];
    for (uint32_t d = v->first_def; d < v->first_def + v->n_defs; d++)
        if (bits[d / 64] >> (d % 64) & 1)
            vec_push(&l->defs, work, d);
}

/* Walks all steps in order and notes what reaches each read. A block's steps follow each other, but
 * blocks are not in the order of their steps, so block_of tells where one begins. */
static bool list_uses(struct solver *s, struct flow_builder *b, struct arena *a)
{
    struct flow *f = s->f;
    uint32_t n_steps = s->c->n_steps;
    struct lists l = {.first = arena_new_array(a, uint32_t, n_steps + 1)};
    uint64_t *bits = arena_new_array(&b->work, uint64_t, s->n_words);
    uint32_t *block_of = arena_new_array(&b->work, uint32_t, n_steps), w = 0;
    size_t listed = 0;
    for (uint32_t i = 0; i < s->c->n_blocks; i++)
        for (uint32_t t = s->c->blocks[i].first; t < s->c->blocks[i].end; t++)
            block_of[t] = i;
    f->use_var = arena_new_array(a, uint32_t, n_steps);
    f->step_def = arena_new_array(a, uint32_t, n_steps);
    memset(f->use_var, 0xFF, n_steps * sizeof *f->use_var);
    memset(f->step_def, 0xFF, n_steps * sizeof *f->step_def);
    for (uint32_t t = 0; t < n_steps; t++) {
        if (s->c->blocks[block_of[t]].first == t) {
            memcpy(bits, s->in + block_of[t] * s->n_words, s->n_words * sizeof *bits);
            w = s->first_write[block_of[t] * 2];
        }
        l.first[t] = (uint32_t)l.defs.n;
        if (l.defs.n > MAX_REACHING || !names_spend(s->c->names, l.defs.n - listed))
            return false;
        listed = l.defs.n;
        bool is_read = s->c->steps[t].kind == STEP_EVAL && b->step_var[t] != VAR_NONE;
        if (is_read) {
            f->use_var[t] = b->step_var[t];
            collect(&l, &b->work, f, bits, b->step_var[t]);
        }
        for (; w < s->first_write[block_of[t] * 2 + 1] && s->writes[w].step == t; w++) {
            uint32_t def = s->writes[w].def;
            write_def(f, bits, def);
            if (f->defs[def].var == b->step_var[t] && f->defs[def].kind != DEF_MAY)
                f->step_def[t] = def;
        }
    }
    l.first[n_steps] = (uint32_t)l.defs.n;
    f->use_first = l.first;
    f->use_defs = arena_dup(a, l.defs.at, l.defs.n * sizeof *l.defs.at);
    return true;
}

static void list_readers(struct flow *f, struct arena *a)
{
    uint32_t n_steps = f->cfg->n_steps, n = f->use_first[n_steps];
    uint32_t *first = arena_new_array(a, uint32_t, f->n_defs + 2);
    f->def_uses = arena_new_array(a, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        first[f->use_defs[i] + 2]++;
    for (uint32_t d = 0; d < f->n_defs; d++)
        first[d + 2] += first[d + 1];
    for (uint32_t s = 0; s < n_steps; s++)
        for (uint32_t i = f->use_first[s]; i < f->use_first[s + 1]; i++)
            f->def_uses[first[f->use_defs[i] + 1]++] = s;
    f->def_first = first;
}

/* Nothing is known: every list is empty. */
static void give_up(struct flow *f, uint32_t n_steps, struct arena *a)
{
    f->is_known = false;
    f->use_var = arena_new_array(a, uint32_t, n_steps);
    memset(f->use_var, 0xFF, n_steps * sizeof *f->use_var);
    f->step_def = arena_dup(a, f->use_var, n_steps * sizeof *f->use_var);
    f->use_first = arena_new_array(a, uint32_t, n_steps + 1);
    f->def_first = arena_new_array(a, uint32_t, f->n_defs + 2);
}

void flow__solve(struct flow_builder *b, struct arena *a)
{
    struct flow *f = b->f;
    struct solver s = {.f = f, .c = b->c, .n_words = ((size_t)f->n_defs + 63) / 64};
    f->is_known =
        f->n_defs < MAX_DEFS && (uint64_t)s.n_words * 64 * b->c->n_blocks <= FLOW_MAX_BITS;
    if (!f->is_known) {
        give_up(f, b->c->n_steps, a);
        return;
    }
    s.in = arena_new_array(&b->work, uint64_t, s.n_words * b->c->n_blocks);
    order_writes(&s, &b->work);
    if (iterate(&s, &b->work) && list_uses(&s, b, a))
        list_readers(f, a);
    else
        give_up(f, b->c->n_steps, a);
}
