/* A pool, an engine's description from text, and small cases, for the tests of target/. */
#ifndef TESTS_UNIT_TARGET_POOL_FIXTURE_H
#define TESTS_UNIT_TARGET_POOL_FIXTURE_H

#include "target/pool.h"

struct fixture {
    struct arena arena;
    struct loop *loop;
    struct pool *pool;
    struct pool_batch batch; /* for requests that a test does not wait for at once */
    const char *home;
    int opset; /* of fixture_typed_case's models */
};

/* worker_path and memory_bytes as in pool_options; deadline_ms 0: longer than any machine needs. */
void fixture_open(struct fixture *f, const char *worker_path, uint64_t memory_bytes,
                  int64_t deadline_ms);
/* The same with workers that give way to a successor after one child. */
void fixture_open_refreshing(struct fixture *f, const char *worker_path);
/* The fixture sets only loop and home of these options. */
void fixture_open_pool(struct fixture *f, const struct pool_options *wanted);
void fixture_close(struct fixture *f);

/* An interpreter with the engines; NULL: there is none, and tests that need one are skipped. */
const char *fixture_engines_python(struct arena *a);
/* Registers the engine from that interpreter and resolves the target. */
bool fixture_target(struct fixture *f, const char *name, struct target_list *out);

/* y = f(x) with one node, x float [2, 3] with the values 1..6, index as its identity. */
struct tcase *fixture_case(struct fixture *f, const char *op_type, uint64_t index);

/* y = f(x0, ...) with one node, all of one dtype and shape, at f->opset. */
struct tcase *fixture_typed_case(struct fixture *f, const char *op_type, enum dtype dtype,
                                 const int64_t *dims, uint32_t rank, const struct tensor *values,
                                 uint32_t n_inputs);

#endif
