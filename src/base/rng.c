/* xoshiro256** 1.0, seeded by splitmix64; the header says what is guaranteed. */
#include "base/rng.h"

#include "base/hash.h"

static uint64_t splitmix64(uint64_t *x)
{
    return hash_mix64(*x += 0x9e3779b97f4a7c15u);
}

void rng_init(struct rng *r, uint64_t seed, enum rng_stream stream, uint64_t index)
{
    uint64_t x = seed;
    x = splitmix64(&x) ^ (uint64_t)stream;
    x = splitmix64(&x) ^ index;
    for (int i = 0; i < 4; i++)
        r->state[i] = splitmix64(&x);
}

struct rng rng_split(struct rng *r)
{
    struct rng child;
    uint64_t x = rng_u64(r);
    for (int i = 0; i < 4; i++)
        child.state[i] = splitmix64(&x);
    return child;
}

static uint64_t rotate_left(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

uint64_t rng_u64(struct rng *r)
{
    uint64_t *s = r->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    /* Values under 2^64 mod n would make the low residues likelier; draw again. */
    uint64_t threshold = (0 - n) % n;
    for (;;) {
        uint64_t x = rng_u64(r);
        if (x >= threshold)
            return x % n;
    }
}

int64_t rng_between(struct rng *r, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t offset = span ? rng_below(r, span) : rng_u64(r);
    return (int64_t)((uint64_t)low + offset);
}

double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

bool rng_chance(struct rng *r, double p)
{
    return rng_unit(r) < p;
}

double rng_normal(struct rng *r)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        for (uint64_t lanes = rng_u64(r), k = 0; k < 4; k++, lanes >>= 16)
            sum += (int64_t)(lanes & 0xffff);
    /* Mean 16 * 32767.5; variance 16 * (2^32 - 1) / 12. */
    const double scale = 1.0 / 75674.5;
    return ((double)sum - 524280.0) * scale;
}

uint64_t rng_weighted(struct rng *r, const double *weights, uint64_t n)
{
    double total = 0;
    for (uint64_t i = 0; i < n; i++)
        total += weights[i];
    double left = rng_unit(r) * total;
    uint64_t last = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (weights[i] <= 0)
            continue;
        last = i;
        if (left < weights[i])
            return i;
        left -= weights[i];
    }
    return last;
}
