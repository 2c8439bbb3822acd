/* Bytes as a docstring: its examples are found, its output compared with itself and with the rest,
 * its defaults and names looked up. Output equals itself unless a part of it was elided. */
#include <stdint.h>
#include <stdlib.h>

#include "documents/defaults.h"
#include "documents/example.h"
#include "documents/names.h"
#include "documents/printed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void compare(struct str text, struct str whole, struct arena *a)
{
    struct str detail, literal;
    enum agreement own = printed_compare(text, text, 1, a, &detail);
    if (own != AGREEMENT_EQUAL && own != AGREEMENT_ELIDED && own != AGREEMENT_TEXT)
        abort();
    printed_compare(text, whole, 20, a, &detail);
    printed_arrays(text, 1, 0.5, a, &literal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct str schemas[] = {{"aten::f(Tensor self, int dim=0) -> Tensor", 41}};
    struct str doc = {(const char *)data, n};
    struct api_record r = {.name = STR("f"), .doc = doc, .schemas = schemas, .n_schemas = 1};
    struct example_list list;
    struct default_findings defaults = {0};
    struct default_tally tally = {0};
    struct name_findings names = {0};
    struct arena a;
    size_t n_names = 0;
    arena_init(&a);
    example_find(doc, &a, &list);
    for (size_t i = 0; i < list.n; i++) {
        if (!list.at[i].source.n)
            abort();
        compare(list.at[i].expected, doc, &a);
    }
    compare(doc, doc, &a);
    defaults_check(&r, &a, &defaults, &tally);
    names_check(&r, &a, &names, &n_names);
    arena_done(&a);
    return 0;
}
