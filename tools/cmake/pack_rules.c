/*
 * pack_rules OUT LIST: parses the JSON files below rules/ that LIST names ("path-in-share<TAB>
 * file" a line) and writes OUT, a C file that holds them as src/lint/packed_p.h says. Runs at
 * build, so that a wrong file stops the build and a run of the program parses none.
 */
#include <stdio.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/vec.h"

enum { FILE_BYTES_MAX = 16 << 20 };

static void put_number(struct strbuf *out, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        strbuf_addc(out, (char)(n | 0x80));
    strbuf_addc(out, (char)n);
}

static void put_text(struct strbuf *out, struct str text)
{
    put_number(out, text.n);
    strbuf_addstr(out, text);
    strbuf_addc(out, '\0');
}

static void put_value(struct strbuf *out, const struct json *j)
{
    strbuf_addc(out, (char)j->kind);
    put_number(out, j->line);
    put_number(out, j->column);
    switch (j->kind) {
    case JSON_KIND_NULL:
        break;
    case JSON_KIND_BOOL:
        strbuf_addc(out, (char)j->truth);
        break;
    case JSON_KIND_INTEGER:
        put_number(out, ((uint64_t)j->integer << 1) ^ (uint64_t)(j->integer >> 63));
        break;
    case JSON_KIND_REAL:
        strbuf_add(out, (const char *)&j->real, sizeof j->real);
        break;
    case JSON_KIND_STRING:
        put_text(out, j->string);
        break;
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT:
        put_number(out, j->n);
        for (size_t i = 0; i < j->n; i++) {
            if (j->kind == JSON_KIND_OBJECT)
                put_text(out, j->keys[i]);
            put_value(out, &j->items[i]);
        }
        break;
    }
}

static int by_path(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static bool pack(const char *list, struct arena *a, struct strbuf *out, struct hash *hash,
                 struct err *e)
{
    struct str text, line;
    VEC(struct str) lines = {0};
    struct hasher hasher;
    hasher_init(&hasher);
    if (!file_read(list, FILE_BYTES_MAX, a, &text, e))
        return false;
    while (str_split(&text, '\n', &line))
        if (str_starts(line, STR("rules/")) && str_ends(line, STR(".json")))
            vec_push(&lines, a, line);
    qsort(lines.at, lines.n, sizeof *lines.at, by_path);
    for (size_t i = 0; i < lines.n; i++) {
        struct str file = lines.at[i], path, bytes;
        const struct json *root;
        if (!str_split(&file, '\t', &path))
            continue;
        const char *shown = arena_printf(a, "share/" STR_FMT, STR_ARG(path));
        if (!file_read(str_dup(a, file), FILE_BYTES_MAX, a, &bytes, e) ||
            !json_parse(bytes, shown, a, &root, e))
            return false;
        hasher_add_str(&hasher, bytes);
        put_text(out, path);
        size_t at = out->n;
        strbuf_add(out, "\0\0\0\0", 4);
        put_value(out, root);
        uint32_t n = (uint32_t)(out->n - at - 4);
        memcpy(out->at + at, &n, sizeof n);
    }
    *hash = hasher_done(&hasher);
    return true;
}

int main(int argc, char **argv)
{
    struct arena a;
    struct strbuf bytes = {0}, text = {0};
    struct hash hash;
    struct err e = {0};
    arena_init(&a);
    if (argc != 3 || !pack(argv[2], &a, &bytes, &hash, &e)) {
        fprintf(stderr, "pack_rules: %s\n", argc != 3 ? "use: pack_rules OUT LIST" : e.text);
        return 1;
    }
    strbuf_adds(&text, "#include \"lint/packed_p.h\"\n\nconst unsigned char packed__bytes[] = {");
    for (size_t i = 0; i < bytes.n; i++)
        strbuf_printf(&text, "%s%u,", i % 24 ? "" : "\n", (unsigned)(unsigned char)bytes.at[i]);
    strbuf_printf(&text,
                  "\n};\nconst size_t packed__n_bytes = %zu;\nconst char packed__hash[] = "
                  "\"%016llx\";\n",
                  bytes.n, (unsigned long long)hash_prefix(&hash));
    bool ok = file_write(argv[1], text.at, text.n, &e);
    if (!ok)
        fprintf(stderr, "pack_rules: %s\n", e.text);
    strbuf_done(&bytes);
    strbuf_done(&text);
    arena_done(&a);
    return !ok;
}
