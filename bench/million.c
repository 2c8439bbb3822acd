/*
 * Campaigns against a native double of ONNX Runtime that is wrong in one case of some 200 and has
 * some 300 failing keys: bench/million starts it and measures.
 *
 *     bench_million register HOME
 *     bench_million hunt HOME OUT CASES     CASES 0: --resume
 *
 * Whether a node is at fault, and in which form, is drawn from its operator, its attributes' names,
 * and the dtypes and dims of its inputs. So a smaller case keeps its fault if it keeps the node as
 * it is, and the number of keys is bounded by the number of operators.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "double/double.h"
#include "hunt/hunt.h"

/* One operator in SPARED has faults: N_FORMS of them, of which one is a wrong value. One of its
 * nodes in RARITY is at fault. */
enum { SPARED = 6, RARITY = 200, N_FORMS = 4, LEVEL_ALL = 99 };

static uint64_t draw_of(const struct model *m, const struct node *n)
{
    struct hasher h;
    hasher_init(&h);
    hasher_add_str(&h, n->op_type);
    for (uint32_t i = 0; i < n->n_attrs; i++)
        hasher_add_str(&h, n->attrs[i].name);
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (n->inputs[i] == VALUE_NONE)
            continue;
        const struct graph_value *v = &m->graph->values.at[n->inputs[i]];
        hasher_add_u64(&h, v->dtype);
        for (uint32_t k = 0; v->shape.known && k < v->shape.rank; k++)
            hasher_add_u64(&h, (uint64_t)v->shape.dims[k].value);
    }
    struct hash hash = hasher_done(&h);
    return hash_prefix(&hash);
}

/* A number as a word of letters, since keys leave numbers out. */
static void spell(uint64_t n, char word[static 8])
{
    size_t at = 0;
    for (; at < 4; at++, n /= 20)
        word[at] = "bcdfghjklmnpqrstvwxz"[n % 20];
    word[at] = 0;
}

static void decide(const struct double_run *run, struct double_fault *out)
{
    const struct graph *g = run->m->graph;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        uint64_t draw = draw_of(run->m, n), form = draw / RARITY % N_FORMS;
        uint64_t of_type = hash_bytes64(n->op_type.at, n->op_type.n);
        char word[8];
        if (of_type % SPARED != 0)
            continue;
        if (draw % RARITY != 0 || n->n_outputs == 0 || n->outputs[0] == VALUE_NONE)
            continue;
        if (form % 2 && run->level < LEVEL_ALL)
            continue;
        if (form == 0) {
            out->is_wrong = run->right[n->outputs[0]].storage != STORAGE_STRING;
            out->wrong_at = n->outputs[0];
            return;
        }
        spell(of_type + form, word);
        snprintf(out->refusal, sizeof out->refusal, "The %s of this graph is broken", word);
        return;
    }
}

static int hunt(const char *home, const char *out, const char *cases)
{
    static const char *const targets[] = {"ort/off", "ort/all"};
    struct hunt_end end = {0};
    struct err e;
    uint64_t n_cases = strtoull(cases, NULL, 10);
    const struct hunt_options o = {.out = out,
                                   .home = home,
                                   .version = "bench",
                                   .targets = {targets, 2},
                                   .seed = 1,
                                   .n_cases = n_cases,
                                   .resume = n_cases == 0,
                                   .n_pilots = 1,
                                   .best_effort = true};
    bool ok = hunt_run(&o, NULL, &end, &e);
    if (ok)
        printf("{\"cases\": %lld, \"bugs\": %zu, \"interrupted\": %d}\n",
               (long long)end.statistics.totals.n_cases, end.bugs.n, end.interrupted);
    else
        fprintf(stderr, "bench_million: %s\n", e.text);
    hunt_end_done(&end);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct err e;
    int code;
    if (double_child(argc, argv, decide, &code))
        return code;
    if (argc == 3 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "pilot") == 0)
        return hunt_pilot(HUNT_PILOT_FD, &e) ? 0 : 1;
    if (argc == 3 && strcmp(argv[1], "register") == 0) {
        if (double_register(argv[2], "ort", "1.32.0", &e))
            return 0;
        fprintf(stderr, "bench_million: %s\n", e.text);
        return 1;
    }
    if (argc == 5 && strcmp(argv[1], "hunt") == 0)
        return hunt(argv[2], argv[3], argv[4]);
    fprintf(stderr, "usage: bench_million register HOME | hunt HOME OUT CASES\n");
    return 64;
}
