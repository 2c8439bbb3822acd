/*
 * Rate of judging: the residual conv net of tests/planted on a shim engine in four levels and a
 * repeat, as the hunt judges each case. One JSON line of cases judged per second: when all is clean
 * (the reference comes from the generator), when the reference is evaluated here, when the engine
 * is as noisy as the rounding model allows, and when every case needs all reruns; with the loop's
 * target of 100 cases per second.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "judge/judge.h"
#include "planted/nets.h"
#include "planted/plant.h"

enum { OBSERVATIONS = 5, LOOP_MS = 1000 };

static const char *const modes[OBSERVATIONS] = {"off", "basic", "extended", "all", "all"};

struct setting {
    const char *name;
    bool has_reference; /* from the generator */
    bool is_noisy;
    double factor; /* for judge_options: a tiny one forces reruns */
};

static void observe(const struct tcase *c, bool is_noisy, struct arena *a, struct observation *seen)
{
    for (int i = 0; i < OBSERVATIONS; i++) {
        struct shim s = {.noise_seed = is_noisy ? 1 + (uint64_t)MIN(i, 3) : 0,
                         .target = {.engine = STR("shim"),
                                    .version = STR("1"),
                                    .mode = str_of(modes[i]),
                                    .family = STR("shim"),
                                    .n_threads = 1,
                                    .is_base = i == 0}};
        shim_run(&s, c->graph, &c->input_sets[0], a, &seen[i]);
        seen[i].repeat = i == OBSERVATIONS - 1;
    }
}

/* Cases judged per second. */
static bool rate(const struct tcase *net, const struct setting *s, double *out, struct err *e)
{
    struct arena fixed, a;
    struct observation seen[OBSERVATIONS];
    struct tcase c = *net;
    struct eval_result r;
    int64_t began, spent = 0;
    uint64_t n = 0;
    bool ok = true;
    arena_init(&fixed);
    arena_init(&a);
    observe(net, s->is_noisy, &fixed, seen);
    ok = eval_run(c.graph, &c.input_sets[0], &(struct eval_options){0}, &fixed, &r, e);
    c.reference = s->has_reference ? &r : NULL;
    for (began = clock_now_ns(); ok && spent < LOOP_MS * (int64_t)1000000; n++) {
        struct evidence ev = {.c = &c, .observations = seen, .n_observations = OBSERVATIONS};
        struct verdicts v;
        arena_reset(&a);
        ok = reference_make(&c, &a, &ev.refs, e) &&
             judge_case(&(struct judge_options){.factor = s->factor}, &ev, &a, &v, e);
        spent = clock_now_ns() - began;
    }
    *out = (double)n * 1e9 / (double)spent;
    arena_done(&a);
    arena_done(&fixed);
    return ok;
}

int main(void)
{
    static const struct setting settings[] = {
        {"clean_per_s", true, false, 0},
        {"clean_with_reference_per_s", false, false, 0},
        {"noisy_per_s", false, true, 0},
        {"all_reruns_per_s", false, true, 1e-3},
    };
    struct arena a;
    struct err e = {0};
    struct strbuf line = {0};
    size_t n_nets;
    arena_init(&a);
    struct tcase *c = net_case(&net_list(&n_nets)[0], 1, 1, &a, &e);
    struct json_out w = json_open(&line, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "bench", "judge");
    json_pair_i64(&w, "observations", OBSERVATIONS);
    bool ok = c != NULL;
    for (size_t i = 0; ok && i < COUNT_OF(settings); i++) {
        double per_s;
        ok = rate(c, &settings[i], &per_s, &e);
        json_pair_double(&w, settings[i].name, per_s);
    }
    json_pair_double(&w, "target_per_s", 100);
    json_end_object(&w);
    if (ok)
        printf("%s\n", line.at);
    else
        fprintf(stderr, "%s\n", e.text);
    strbuf_done(&line);
    arena_done(&a);
    return ok ? 0 : 70;
}
