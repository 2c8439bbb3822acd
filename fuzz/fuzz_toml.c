/* Bytes as TOML, the settings file: refused with a message that names the line, or a tree whose
 * values stand on lines of the text. */
#include "base/toml.h"

#include <stdlib.h>

#include "base/vec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_lines(const struct json *root, size_t n_lines)
{
    VEC(const struct json *) todo = {0};
    vec_push(&todo, NULL, root);
    while (todo.n) {
        const struct json *j = vec_pop(&todo);
        if (j->line > n_lines || (j->kind == JSON_KIND_OBJECT && j->n && !j->keys))
            abort();
        for (size_t i = 0; i < j->n; i++)
            vec_push(&todo, NULL, &j->items[i]);
    }
    vec_free(&todo);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct err e = {0};
    const struct json *root;
    size_t n_lines = 1;
    for (size_t i = 0; i < n; i++)
        n_lines += data[i] == '\n';
    arena_init(&a);
    if (toml_parse((struct str){(const char *)data, n}, "input", &a, &root, &e))
        check_lines(root, n_lines);
    else if (!e.text[0])
        abort(); /* a refusal says why */
    arena_done(&a);
    return 0;
}
