/*
 * struct hash: SHA-256 (FIPS 180-4), the identity of cases, tensors and artifacts.
 * hash_bytes64: a fast hash for tables within one process; never stored, never compared across
 * versions.
 *
 *     struct hasher h;
 *     hasher_init(&h);
 *     hasher_add(&h, bytes, n);
 *     struct hash id = hasher_done(&h);
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct hash {
    uint8_t bytes[32];
};

enum { HASH_HEX_SIZE = 65 }; /* with the NUL */

struct hasher {
    uint32_t state[8];
    uint64_t n_bytes;
    uint8_t block[64];
};

void hasher_init(struct hasher *h);
void hasher_add(struct hasher *h, const void *bytes, size_t n);
void hasher_add_u64(struct hasher *h, uint64_t v); /* little-endian */
void hasher_add_str(struct hasher *h,
                    struct str s); /* length first, so that "ab","c" != "a","bc" */
struct hash hasher_done(struct hasher *h);

struct hash hash_of(const void *bytes, size_t n);
bool hash_eq(const struct hash *a, const struct hash *b);
bool hash_is_zero(const struct hash *h);
void hash_to_hex(const struct hash *h, char hex[static HASH_HEX_SIZE]);
bool hash_from_hex(struct str hex, struct hash *out);
/* Two digits a byte, in small letters; out: hex.n / 2 bytes. False: other text. */
bool bytes_from_hex(struct str hex, uint8_t *out);

/* The first eight bytes as a number, for table keys. */
uint64_t hash_prefix(const struct hash *h);

uint64_t hash_bytes64(const void *bytes, size_t n);

/* Scrambles 64 bits bijectively (splitmix64's finaliser). */
uint64_t hash_mix64(uint64_t x);

#endif
