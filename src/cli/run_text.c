/*
 * What `assay run` prints: first what was run and what each target did in one line, then every
 * observation and verdict.
 */
#include <math.h>

#include "base/compiler.h"
#include "case/disk.h"
#include "case/subject.h"
#include "cli/command.h"
#include "cli/run_text.h"

static void observation_line(const struct observation *o, struct strbuf *out)
{
    target_id_print(&o->target, out);
    strbuf_printf(out, "  inputs %u  run %u  %s", o->input_set, o->repeat + 1,
                  outcome_name(o->outcome));
    if (o->usage.wall_ns > 0) /* a run that was stopped has no time */
        strbuf_printf(out, "  %.3f ms", (double)o->usage.wall_ns / 1e6);
    if (o->message.raw.n) {
        struct str line = str_sub(o->message.raw, 0, str_find_byte(o->message.raw, '\n'));
        strbuf_printf(out, "  " STR_FMT, STR_ARG(str_sub(line, 0, 200)));
    }
}

static void verdict_line(const struct verdict *v, struct strbuf *out)
{
    strbuf_printf(out, "  %-20s ", v->oracle);
    target_id_print(&v->target, out);
    strbuf_printf(out, "  inputs %u  %s", v->input_set, decision_name(v->decision));
    if (v->decision == DECISION_FAIL || v->decision == DECISION_REFERENCE_SUSPECT ||
        v->decision == DECISION_SECOND_OPINION)
        strbuf_printf(out, "  measure %.3g threshold %.3g  " STR_FMT, v->measure, v->threshold,
                      STR_ARG(v->claim));
}

/* Each target runs the inputs twice; a verdict that both runs share is printed once, with its
 * count. */
static void print_verdicts(const struct verdicts *v, struct arena *a)
{
    struct str *lines = arena_new_array(a, struct str, v->n);
    size_t *counts = arena_new_array(a, size_t, v->n);
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        struct strbuf text = {0};
        size_t at = 0;
        verdict_line(&v->at[i], &text);
        while (at < n && !str_eq(lines[at], strbuf_str(&text)))
            at++;
        if (at == n)
            lines[n++] = strbuf_dup(&text, a);
        counts[at]++;
        strbuf_done(&text);
    }
    for (size_t i = 0; i < n; i++)
        out_line(counts[i] == 1 ? lines[i]
                                : str_of(arena_printf(a, STR_FMT "  (%zu times)", STR_ARG(lines[i]),
                                                      counts[i])));
}

void run_print_rows(const struct judged *seen, struct arena *a)
{
    out_putf("observations:\n");
    for (size_t i = 0; i < seen->n_observations; i++) {
        struct strbuf line = {0};
        strbuf_adds(&line, "  ");
        observation_line(&seen->observations[i], &line);
        out_line(strbuf_str(&line));
        strbuf_done(&line);
    }
    out_putf("verdicts:\n");
    print_verdicts(&seen->verdicts, a);
}

void run_print_json(const char *path, const struct judged *seen)
{
    const struct tcase *c = seen->c;
    const struct verdicts *v = &seen->verdicts;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    char hex[HASH_HEX_SIZE];
    hash_to_hex(&c->id, hex);
    json_begin_object(&w);
    json_pair_cstr(&w, "path", path);
    json_pair_cstr(&w, "case", hex);
    json_key(&w, "observations");
    json_begin_array(&w);
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *o = &seen->observations[i];
        struct strbuf target = {0};
        target_id_print(&o->target, &target);
        json_begin_object(&w);
        json_pair_str(&w, "target", strbuf_str(&target));
        json_pair_u64(&w, "input_set", o->input_set);
        json_pair_u64(&w, "repeat", o->repeat);
        json_pair_cstr(&w, "outcome", outcome_name(o->outcome));
        json_pair_i64(&w, "wall_ns", o->usage.wall_ns);
        json_pair_str(&w, "message", o->message.raw);
        json_end_object(&w);
        strbuf_done(&target);
    }
    json_end_array(&w);
    json_key(&w, "verdicts");
    json_begin_array(&w);
    for (size_t i = 0; i < v->n; i++)
        verdict_to_json(&v->at[i], &w);
    json_end_array(&w);
    json_end_object(&w);
    out_json(&text);
}

/* "x float [N,4] as [2,4]". */
static void print_input(const struct model *m, const struct named_tensor *t)
{
    struct strbuf line = {0}, declared = {0}, actual = {0};
    uint32_t value = graph_find_value(m->graph, t->name);
    const struct shape *shape = value == VALUE_NONE ? NULL : &m->graph->values.at[value].shape;
    strbuf_adds(&actual, "[");
    for (uint32_t i = 0; i < t->tensor.rank; i++)
        strbuf_printf(&actual, "%s%lld", i ? "," : "", (long long)t->tensor.dims[i]);
    strbuf_adds(&actual, "]");
    if (shape)
        shape_print(m, shape, &declared);
    strbuf_printf(&line, "  input " STR_FMT " %s ", STR_ARG(t->name), dtype_name(t->tensor.dtype));
    if (shape && !str_eq(strbuf_str(&declared), strbuf_str(&actual)))
        strbuf_printf(&line, STR_FMT " as ", STR_ARG(strbuf_str(&declared)));
    strbuf_addstr(&line, strbuf_str(&actual));
    out_line(strbuf_str(&line));
    strbuf_done(&line);
    strbuf_done(&declared);
    strbuf_done(&actual);
}

static void print_case(const struct judged *seen)
{
    const struct model *m = case_model(seen->c);
    if (!m)
        return;
    out_putf("  %zu %s, opset %d, %zu %s of inputs\n", m->graph->nodes.n,
             m->graph->nodes.n == 1 ? "node" : "nodes", m->opset, seen->c->n_input_sets,
             seen->c->n_input_sets == 1 ? "set" : "sets");
    for (size_t i = 0; seen->c->n_input_sets && i < seen->c->input_sets[0].n; i++)
        print_input(m, &seen->c->input_sets[0].at[i]);
    if (!seen->refs[0].usable)
        out_line(str_of(arena_printf(seen->refs[0].arena,
                                     "  no reference values (" STR_FMT
                                     "): targets are compared with each other",
                                     STR_ARG(seen->refs[0].why_not))));
}

/* The worst verdict about the target; the one nearest to its threshold when all pass. */
static const struct verdict *worst_of(const struct judged *seen, const struct target_id *t)
{
    const struct verdict *worst = NULL;
    for (size_t i = 0; i < seen->verdicts.n; i++) {
        const struct verdict *v = &seen->verdicts.at[i];
        if (!target_id_eq(&v->target, t))
            continue;
        struct verdict pair[2] = {worst ? *worst : *v, *v};
        bool is_graver = verdicts_worst(&(struct verdicts){pair, 2}) == &pair[1];
        bool is_nearer = worst && worst->decision == v->decision && v->threshold > 0 &&
                         !(v->measure / v->threshold <= worst->measure / worst->threshold);
        if (!worst || (worst->decision != v->decision && is_graver) || is_nearer)
            worst = v;
    }
    return worst;
}

static void add_place(const struct place *p, struct strbuf *out)
{
    if (p->output.n)
        strbuf_printf(out, "; output " STR_FMT, STR_ARG(p->output));
    if (p->element != SIZE_MAX)
        strbuf_printf(out, " element %zu", p->element);
    if (p->op_type.n)
        strbuf_printf(out, "; %s " STR_FMT, p->node.n ? "first bad" : "made by",
                      STR_ARG(p->op_type));
    if (p->node.n)
        strbuf_printf(out, " (node " STR_FMT ")", STR_ARG(p->node));
}

/* Without a reference: names the first other target with the same outputs within default
 * tolerances, else the nearest one. */
static void add_nearest(const struct judged *seen, const struct observation *x, struct strbuf *out)
{
    const struct observation *nearest = NULL;
    struct arena a;
    double apart = INFINITY;
    arena_init(&a);
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *y = &seen->observations[i];
        if (y->outcome != OUTCOME_OK || y->input_set != x->input_set || y->repeat != x->repeat ||
            target_id_eq(&x->target, &y->target))
            continue;
        double d = judge_apart(x, y, &a);
        if (!nearest || d < apart) {
            apart = d;
            nearest = y;
        }
    }
    arena_done(&a);
    if (!nearest)
        return;
    strbuf_adds(out, apart > 0 ? "  differs from " : "  agrees with ");
    target_id_print(&nearest->target, out);
    if (apart > 0)
        strbuf_printf(out, " by %.3g default tolerances", apart);
}

static void add_verdict(const struct judged *seen, const struct observation *x, struct strbuf *out)
{
    const struct verdict *v = worst_of(seen, &x->target);
    if (v && v->decision != DECISION_PASS && v->decision != DECISION_NOT_APPLICABLE) {
        strbuf_printf(out, "  %s",
                      v->decision == DECISION_FAIL ? "WRONG" : decision_name(v->decision));
        if (v->claim.n)
            strbuf_printf(out, ": " STR_FMT, STR_ARG(v->claim));
        add_place(&v->place, out);
    } else if (x->outcome == OUTCOME_OK && !seen->refs[x->input_set].usable &&
               case_model(seen->c)) {
        add_nearest(seen, x, out);
    } else if (v && v->decision == DECISION_PASS) {
        strbuf_adds(out, "  agrees");
        if (v->threshold > 0 && v->measure > 0)
            strbuf_printf(out, ", largest error %.2g of what is allowed",
                          v->measure / v->threshold);
    }
}

static struct str first_line(struct str text)
{
    return str_sub(text, 0, str_find_byte(text, '\n'));
}

/* What a target did with a program, without its name. */
static void add_program_end(const struct judged *seen, const struct observation *x,
                            struct strbuf *out)
{
    const struct verdict *v = worst_of(seen, &x->target);
    if (x->outcome != OUTCOME_OK)
        strbuf_printf(out, "  %s", outcome_name(x->outcome));
    if (v && v->decision != DECISION_PASS && v->decision != DECISION_NOT_APPLICABLE)
        strbuf_printf(out, "  %s: " STR_FMT,
                      v->decision == DECISION_FAIL ? "WRONG" : decision_name(v->decision),
                      STR_ARG(v->claim));
    else if (x->outcome != OUTCOME_OK)
        strbuf_printf(out, ": " STR_FMT, STR_ARG(first_line(x->message.raw)));
    else if (v && v->decision == DECISION_PASS)
        strbuf_adds(out, "  agrees");
}

/* A mode that is unsupported and took no time is one for models and did not run: it is left out. */
static bool is_of_summary(const struct observation *x)
{
    return !x->input_set && !x->repeat &&
           (x->outcome != OUTCOME_UNSUPPORTED || x->usage.wall_ns > 0);
}

/* What was compared is usually the same text in all modes: it is printed once. */
static void print_notes(const struct judged *seen)
{
    struct str told = STR("");
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *x = &seen->observations[i];
        const struct verdict *v = worst_of(seen, &x->target);
        bool is_wrong = v && v->decision == DECISION_FAIL; /* its claim says so already */
        struct str note = first_line(x->message.raw);
        if (!is_of_summary(x) || x->outcome != OUTCOME_OK || is_wrong || !note.n ||
            str_eq(note, told))
            continue;
        told = note;
        out_putf("  " STR_FMT "\n", STR_ARG(told));
    }
}

/* Adds the targets from `first` on that ended alike, as "torch@2.13.0/eager, written". */
static void add_alike(const struct judged *seen, const struct str *ends, size_t first,
                      struct strbuf *out)
{
    target_id_print(&seen->observations[first].target, out);
    for (size_t i = first + 1; i < seen->n_observations; i++)
        if (ends[i].n && str_eq(ends[i], ends[first]))
            strbuf_printf(out, ", " STR_FMT, STR_ARG(seen->observations[i].target.mode));
}

/* One line for the modes that did the same; modes for models are left out. */
static void print_program(const struct judged *seen)
{
    struct arena a;
    arena_init(&a);
    struct str *ends = arena_new_array(&a, struct str, seen->n_observations); /* empty: no line */
    for (size_t i = 0; i < seen->n_observations; i++) {
        struct strbuf end = {0};
        if (is_of_summary(&seen->observations[i]))
            add_program_end(seen, &seen->observations[i], &end);
        ends[i] = strbuf_dup(&end, &a);
        strbuf_done(&end);
    }
    for (size_t i = 0; i < seen->n_observations; i++) {
        struct strbuf line = {0};
        size_t k = 0;
        while (k < i && !str_eq(ends[k], ends[i]))
            k++;
        if (k < i || !ends[i].n)
            continue;
        strbuf_adds(&line, "  ");
        add_alike(seen, ends, i, &line);
        strbuf_addstr(&line, ends[i]);
        out_line(strbuf_str(&line));
        strbuf_done(&line);
    }
    print_notes(seen);
    arena_done(&a);
}

void run_print_summary(const struct judged *seen)
{
    out_putf("summary:\n");
    if (case_program(seen->c)) {
        print_program(seen);
        return;
    }
    print_case(seen);
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *x = &seen->observations[i];
        struct strbuf line = {0};
        if (x->input_set || x->repeat)
            continue;
        strbuf_adds(&line, "  ");
        target_id_print(&x->target, &line);
        if (x->outcome != OUTCOME_OK)
            strbuf_printf(&line, "  %s", outcome_name(x->outcome));
        add_verdict(seen, x, &line);
        out_line(strbuf_str(&line));
        strbuf_done(&line);
    }
}
