/* Bytes as a .npy file: refused with a message, or a tensor that encodes to a file which decodes to
 * the same tensor. */
#include "case/npy.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct tensor t, back;
    struct err e = {0};
    arena_init(&a);
    if (npy_decode((struct str){(const char *)data, n}, "input", &a, &t, &e)) {
        struct strbuf b = {0};
        npy_encode(&t, &b);
        if (!npy_decode(strbuf_str(&b), "again", &a, &back, &e) || !tensor_same_bits(&t, &back))
            abort();
        strbuf_done(&b);
    }
    arena_done(&a);
    return 0;
}
