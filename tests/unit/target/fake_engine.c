/* See fake_engine.h. */
#include "fake_engine.h"

#include "os/process.h"
#include "unit/test.h"

/* One engine whose modes are the faults. */
struct fake {
    struct target_description description;
    struct target_installation installation;
    struct target_mode mode;
    struct target target;
};

static const struct target_words fake_words[] = {
    {TEXT("Could not find an implementation"), OUTCOME_UNSUPPORTED}};

const struct target *fake_engine(struct fixture *f, const char *worker, const char *fault,
                                 enum target_fork fork)
{
    static const struct target_opset opset = {TEXT("1"), 28};
    static const char *const roots[] = {"/usr"};
    struct arena *a = &f->arena;
    struct fake *fake = arena_new(a, struct fake);
    struct err e;
    const char *python;
    assert_true(process_find_program("/usr/bin/python3", a, &python, &e));
    char *options = arena_printf(
        a, "{\"fault\":\"%s\",\"text\":\"Could not find an implementation for X\"}", fault);
    assert_true(json_parse(str_of(options), "options", a, &fake->mode.options, &e));
    fake->mode.name = str_of(fault);
    fake->mode.n_threads = 1;
    fake->description = (struct target_description){.engine = STR("fake"),
                                                    .family = STR("fake"),
                                                    .worker = str_of(worker),
                                                    .accepts_graphs = true,
                                                    .fork = fork,
                                                    .n_tasks = 1,
                                                    .opsets = &opset,
                                                    .n_opsets = 1,
                                                    .words = fake_words,
                                                    .n_words = COUNT_OF(fake_words)};
    fake->installation = (struct target_installation){.description = &fake->description,
                                                      .version = STR("1"),
                                                      .python = str_of(python),
                                                      .roots = roots,
                                                      .n_roots = 1,
                                                      .traits = {.largest_opset = 28}};
    fake->target = (struct target){.id = {.engine = STR("fake"),
                                          .version = STR("1"),
                                          .mode = fake->mode.name,
                                          .family = STR("fake"),
                                          .n_threads = 1,
                                          .traits = &fake->installation.traits},
                                   .installation = &fake->installation,
                                   .mode = &fake->mode};
    return &fake->target;
}

const struct target *fake_engine_mode(struct fixture *f, const struct target *of, const char *fault)
{
    const struct target *fresh = fake_engine(f, "fake", fault, TARGET_FORK_BATCH);
    struct target *t = arena_dup(&f->arena, fresh, sizeof *fresh);
    t->installation = of->installation;
    return t;
}

struct pool_result fake_engine_run_until(struct fixture *f, const struct target *target,
                                         uint64_t index, int64_t deadline_ms)
{
    struct pool_result got;
    struct err e;
    const struct target **list = arena_new(&f->arena, const struct target *);
    *list = target;
    struct pool_request request = {.c = fixture_case(f, "Identity", index),
                                   .targets = list,
                                   .n_targets = 1,
                                   .arena = &f->arena,
                                   .deadline_ms = deadline_ms};
    if (!pool_run(f->pool, &request, &got, &e))
        fail_msg("%s", e.text);
    return got;
}

struct pool_result fake_engine_run(struct fixture *f, const struct target *target, uint64_t index)
{
    return fake_engine_run_until(f, target, index, FAKE_DEADLINE_MS);
}

void fake_engine_assert_good(struct fixture *f, const struct target *target, const char *row)
{
    struct pool_result got = fake_engine_run(f, target, 1000);
    ASSERT_ROW(got.n_observations == 1 && got.observations[0].outcome == OUTCOME_OK, row);
    ASSERT_ROW(tensor_get_double(&got.observations[0].outputs.at[0].tensor, 5) == 6, row);
}
