/* Bytes as the file of known defects: refused with a message that names the file, or a list whose
 * entries have lines of the text and can be compared with a bug. */
#include <stdlib.h>

#include "hunt/known.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct err e = {0};
    struct known_list known;
    struct store_bug bug = {.id = STR("3f2a9c0b1e"),
                            .key = STR("crash|x"),
                            .state = STR("confirmed"),
                            .class = STR("crash"),
                            .engine = STR("ort"),
                            .version = STR("1.31.1"),
                            .mode = STR("all"),
                            .ops = STR("Pad MaxPool")};
    struct store_bugs bugs = {&bug, 1};
    size_t n_lines = 1;
    for (size_t i = 0; i < n; i++)
        n_lines += data[i] == '\n';
    arena_init(&a);
    if (known_read((struct str){(const char *)data, n}, "input", STR("2026-11-22"), &a, &known,
                   &e)) {
        for (size_t i = 0; i < known.n; i++)
            if (known.at[i].line > n_lines || !known.at[i].reason.n)
                abort();
        known_mark(&known, &bugs);
    } else if (!str_starts(str_of(e.text), STR("input:"))) {
        abort(); /* a refusal says where */
    }
    arena_done(&a);
    return 0;
}
