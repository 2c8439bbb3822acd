/*
 * struct rng: reproducible random numbers. The same (seed, stream, index) gives the same sequence
 * on every machine and in every version that keeps RNG_VERSION.
 *
 * Generator: xoshiro256** (Blackman and Vigna, 2018), its state filled by splitmix64 from the three
 * numbers. A case with index i draws from rng_init(seed, stream, i), so cases do not depend on each
 * other or on the number of workers. All derived draws use integer and exactly rounded operations
 * only (no log, no sin), so they do not depend on the C library either.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdbool.h>
#include <stdint.h>

enum { RNG_VERSION = 1 };

struct rng {
    uint64_t state[4];
};

/* Streams that must not share random numbers. Case ids depend on these values: append only. */
enum rng_stream {
    RNG_CASE = 1,
    RNG_INPUT,
    RNG_WEIGHT,
    RNG_PERTURB,
    RNG_REDUCE,
    RNG_PLANT,
    RNG_TEST
};

void rng_init(struct rng *r, uint64_t seed, enum rng_stream stream, uint64_t index);

/* A new generator, seeded by one draw from r. */
struct rng rng_split(struct rng *r);

uint64_t rng_u64(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n);                 /* 0 .. n-1 without bias; n >= 1 */
int64_t rng_between(struct rng *r, int64_t low, int64_t high); /* low .. high, both included */
double rng_unit(struct rng *r);                                /* [0, 1), multiples of 2^-53 */
bool rng_chance(struct rng *r, double p);

/* Mean 0, variance 1, range about +-6.9: the sum of sixteen 16-bit uniforms, scaled. */
double rng_normal(struct rng *r);

/* An index, with a probability proportional to its weight; weights are >= 0, not all zero. */
uint64_t rng_weighted(struct rng *r, const double *weights, uint64_t n);

#endif
