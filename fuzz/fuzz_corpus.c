/* Bytes as an issue's text, as a program to repair and as a language model's reply: whatever is
 * found is a part of them or a program that can be read again. */
#include "generate/corpus/record.h"
#include "generate/corpus/repair.h"
#include "llm/llm.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void repair(struct str text, struct arena *a)
{
    struct reader reader;
    struct reading r;
    struct err e;
    if (!reader_open(&reader, "torch", &e))
        abort();
    struct str repaired = program_repair(&reader, text, a);
    bool read = reading_make(&reader, repaired, a, &r);
    if (read && repaired.n + 4096 < text.n)
        abort(); /* repair drops calls that move to a device, no more */
    reader_close(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct str text = {(const char *)data, n}, rest;
    arena_init(&a);
    if (issue_extract_error(text).n > n || llm_extract_json(text).n > n ||
        llm_extract_code(text, &rest, &a).n > n || rest.n > n)
        abort();
    repair(issue_extract_code(text, &a), &a);
    if (n < 4096)
        repair(text, &a);
    arena_done(&a);
    return 0;
}
