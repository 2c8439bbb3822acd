/*
 * A runner whose engines are the double of tests/fake, one installation per family, for tests of
 * what a hunt does with a case.
 *
 *     static const struct fake_mode modes[] = {{.name = "all", .options = "{...}", .runs = true}};
 *     struct fake_bench b;
 *     fake_bench_open(&b, modes, COUNT_OF(modes));
 *     ... runner_run(&b.runner, ...) ...
 *     fake_bench_close(&b);
 */
#ifndef TESTS_UNIT_HUNT_FAKE_BENCH_H
#define TESTS_UNIT_HUNT_FAKE_BENCH_H

#include "hunt/runner/runner.h"

enum { FAKE_FAMILIES = 2, FAKE_MODES = 4 };

struct fake_mode {
    const char *family; /* NULL: "fake"; modes of a family are consecutive */
    const char *name, *options;
    uint32_t n_threads; /* 0: 1 */
    bool is_rare;       /* does not run by default */
    bool runs;          /* it is one of the runner's targets */
};

struct fake_bench {
    struct arena arena;
    struct runner runner;
    const char *home, *out;
    struct target_description descriptions[FAKE_FAMILIES];
    struct target_installation installations[FAKE_FAMILIES];
    struct target_mode modes[FAKE_MODES];
    struct target targets[FAKE_MODES];
    const struct target *list[FAKE_MODES];
    size_t n_families, n_targets;
};

void fake_bench_open(struct fake_bench *b, const struct fake_mode *modes, size_t n_modes);
void fake_bench_close(struct fake_bench *b);

/* Fails the test with the error's text. */
void check_ok(bool ok, const struct err *e);

/* y = the operators on x, one after the other; x is two floats. */
struct tcase *fake_chain(const char *const *op_types, size_t n, struct arena *a);

#endif
