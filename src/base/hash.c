/* SHA-256 by FIPS 180-4 sections 4.1.2, 5.1.1, 5.3.3, 6.2; and a multiply-xor hash for tables. */
#include "base/hash.h"

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void compress(uint32_t state[static 8], const uint8_t *block)
{
    uint32_t w[64];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (size_t i = 16; i < 64; i++) {
        uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (size_t i = 0; i < 64; i++) {
        uint32_t s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
        uint32_t s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void hasher_init(struct hasher *h)
{
    *h = (struct hasher){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void hasher_add(struct hasher *h, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    size_t held = h->n_bytes % 64;
    if (n == 0)
        return;
    h->n_bytes += n;
    if (held) {
        size_t take = MIN(n, 64 - held);
        memcpy(h->block + held, at, take);
        at += take, n -= take;
        if (held + take < 64)
            return;
        compress(h->state, h->block);
    }
    for (; n >= 64; at += 64, n -= 64)
        compress(h->state, at);
    if (n)
        memcpy(h->block, at, n);
}

void hasher_add_u64(struct hasher *h, uint64_t v)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(v >> 8 * i);
    hasher_add(h, bytes, sizeof bytes);
}

void hasher_add_str(struct hasher *h, struct str s)
{
    hasher_add_u64(h, s.n);
    hasher_add(h, s.at, s.n);
}

struct hash hasher_done(struct hasher *h)
{
    uint64_t n_bits = h->n_bytes * 8;
    static const uint8_t padding[64] = {0x80};
    size_t held = h->n_bytes % 64;
    hasher_add(h, padding, held < 56 ? 56 - held : 120 - held);
    uint8_t length[8];
    for (size_t i = 0; i < 8; i++)
        length[i] = (uint8_t)(n_bits >> (56 - 8 * i));
    hasher_add(h, length, sizeof length);
    struct hash out;
    for (size_t i = 0; i < 32; i++)
        out.bytes[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
    return out;
}

struct hash hash_of(const void *bytes, size_t n)
{
    struct hasher h;
    hasher_init(&h);
    hasher_add(&h, bytes, n);
    return hasher_done(&h);
}

bool hash_eq(const struct hash *a, const struct hash *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool hash_is_zero(const struct hash *h)
{
    static const struct hash zero;
    return hash_eq(h, &zero);
}

void hash_to_hex(const struct hash *h, char hex[static HASH_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 32; i++) {
        hex[2 * i] = digits[h->bytes[i] >> 4];
        hex[2 * i + 1] = digits[h->bytes[i] & 15];
    }
    hex[64] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool bytes_from_hex(struct str hex, uint8_t *out)
{
    if (hex.n % 2)
        return false;
    for (size_t i = 0; i < hex.n / 2; i++) {
        int high = hex_digit(hex.at[2 * i]), low = hex_digit(hex.at[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool hash_from_hex(struct str hex, struct hash *out)
{
    return hex.n == 64 && bytes_from_hex(hex, out->bytes);
}

uint64_t hash_prefix(const struct hash *h)
{
    uint64_t v;
    memcpy(&v, h->bytes, sizeof v);
    return v;
}

uint64_t hash_mix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t hash_bytes64(const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    uint64_t h = 0x9e3779b97f4a7c15u ^ n;
    for (; n >= 8; at += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    uint64_t tail = 0;
    if (n)
        memcpy(&tail, at, n);
    return hash_mix64(h ^ tail);
}
