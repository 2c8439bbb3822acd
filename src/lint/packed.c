/*
 * Reads the rules that the build packed. Trusts its bytes: they are the program's own, written by
 * tools/cmake/pack_rules.c from files that it parsed. Recursion is as deep as those files.
 */
#include "lint/packed_p.h"

static uint64_t take_number(struct packed *p)
{
    uint64_t n = 0;
    for (unsigned shift = 0; p->at < p->end; shift += 7) {
        unsigned char byte = *p->at++;
        n |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            break;
    }
    return n;
}

static struct str take_text(struct packed *p)
{
    size_t n = (size_t)take_number(p);
    struct str text = {(const char *)p->at, n};
    p->at += n + 1;
    return text;
}

static void take_value(struct packed *p, struct arena *a, struct json *to)
{
    uint64_t bits;
    to->kind = (enum json_kind) * p->at++;
    to->line = (uint32_t)take_number(p);
    to->column = (uint32_t)take_number(p);
    switch (to->kind) {
    case JSON_KIND_NULL:
        break;
    case JSON_KIND_BOOL:
        to->truth = *p->at++;
        break;
    case JSON_KIND_INTEGER:
        bits = take_number(p);
        to->integer = (int64_t)(bits >> 1) ^ -(int64_t)(bits & 1);
        to->real = (double)to->integer;
        break;
    case JSON_KIND_REAL:
        memcpy(&to->real, p->at, sizeof to->real);
        p->at += sizeof to->real;
        break;
    case JSON_KIND_STRING:
        to->string = take_text(p);
        break;
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT: {
        to->n = (size_t)take_number(p);
        struct json *items = arena_new_array(a, struct json, to->n);
        struct str *keys =
            to->kind == JSON_KIND_OBJECT ? arena_new_array(a, struct str, to->n) : NULL;
        to->items = items;
        to->keys = keys;
        for (size_t i = 0; i < to->n; i++) {
            if (keys)
                keys[i] = take_text(p);
            take_value(p, a, &items[i]);
        }
        break;
    }
    }
}

struct packed packed__open(void)
{
    return (struct packed){packed__bytes, packed__bytes + packed__n_bytes};
}

bool packed__next(struct packed *p, const char **path, struct packed *value)
{
    uint32_t n;
    if (p->at >= p->end)
        return false;
    *path = take_text(p).at;
    memcpy(&n, p->at, sizeof n);
    p->at += sizeof n;
    *value = (struct packed){p->at, p->at + n};
    p->at += n;
    return true;
}

const struct json *packed__value(struct packed value, struct arena *a)
{
    struct json *root = arena_new(a, struct json);
    take_value(&value, a, root);
    return root;
}
