/*
 * Runs a fuzz target over its corpus without libFuzzer: each file of the given folders once. Former
 * crashes stand in the corpus, so this is a regression test in every ordinary run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_BYTES_MAX = 64 << 20 };

static bool run_one(void *ctx, const char *path, struct err *e)
{
    struct arena a;
    struct str bytes;
    arena_init(&a);
    bool ok = file_read(path, INPUT_BYTES_MAX, &a, &bytes, e);
    if (ok) {
        /* A copy of the exact size, so that a sanitizer notices each byte read beyond the end. */
        uint8_t *copy = malloc(bytes.n ? bytes.n : 1);
        if (bytes.n)
            memcpy(copy, bytes.at, bytes.n);
        LLVMFuzzerTestOneInput(copy, bytes.n);
        free(copy);
        ++*(size_t *)ctx;
    }
    arena_done(&a);
    return ok;
}

int main(int argc, char **argv)
{
    size_t n_inputs = 0;
    struct err e;
    const struct file_walk walk = {run_one, NULL, &n_inputs};
    for (int i = 1; i < argc; i++) {
        if (!file_walk_tree(argv[i], &walk, &e)) {
            fprintf(stderr, "%s\n", e.text);
            return 1;
        }
    }
    printf("%zu passed, 0 failed\n", n_inputs);
    return n_inputs == 0;
}
