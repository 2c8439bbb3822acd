/* An engine whose modes are the faults of tests/fake, for the tests of containment, canaries and
 * hangs. */
#ifndef TESTS_UNIT_TARGET_FAKE_ENGINE_H
#define TESTS_UNIT_TARGET_FAKE_ENGINE_H

#include "pool_fixture.h"

#define FAKE_WORKERS ASSAY_SOURCE_DIR "/tests/fake"
#define FAKE_MEMORY ((uint64_t)128 << 20)
/* Deadlines: of cases that must end, however slow the machine is, and of cases that never end. */
#define FAKE_DEADLINE_MS 120000
#define FAKE_SHORT_DEADLINE_MS 2000

/* worker: a name of tests/fake; fault: the mode. */
const struct target *fake_engine(struct fixture *f, const char *worker, const char *fault,
                                 enum target_fork fork);
/* Another mode of the same engine. */
const struct target *fake_engine_mode(struct fixture *f, const struct target *of,
                                      const char *fault);

/* Runs one case, whose identity is index, and waits for its result. */
struct pool_result fake_engine_run_until(struct fixture *f, const struct target *target,
                                         uint64_t index, int64_t deadline_ms);
struct pool_result fake_engine_run(struct fixture *f, const struct target *target, uint64_t index);

/* The target runs a case and gives the right value; row is named if not. */
void fake_engine_assert_good(struct fixture *f, const struct target *target, const char *row);

#endif
