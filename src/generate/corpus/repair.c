/* Repairs programs. Must not know issues nor generators. */
#include "generate/corpus/repair.h"

#include "python/edit.h"

/* Replaces a method call by the object it is called on: "(x.cuda())" -> "(x)". */
static void drop_method(const struct reading *r, uint32_t call, struct edit_set *edits,
                        struct arena *a, uint32_t group)
{
    uint32_t callee = tree_child(&r->tree, call, FIELD_FUNCTION);
    uint32_t object = tree_child(&r->tree, callee, FIELD_OBJECT);
    edit_add(edits, a, tree_node(&r->tree, object)->end, tree_node(&r->tree, call)->end, STR(""),
             group);
}

static struct str imports_of(const struct reader *r, const struct reading *text, struct arena *a)
{
    const struct json *known = json_get(r->table.root, "imports");
    struct strbuf out = {0};
    for (size_t k = 0; known && k < known->n; k++) {
        bool wanted = false;
        for (size_t i = 0; i < text->parts.n; i++)
            wanted |= text->parts.at[i].kind == PART_UNBOUND &&
                      str_eq(text->parts.at[i].symbol, known->keys[k]);
        if (wanted)
            strbuf_printf(&out, STR_FMT "\n", STR_ARG(known->items[k].string));
    }
    struct str lines = strbuf_dup(&out, a);
    strbuf_done(&out);
    return lines;
}

/* The offset after the imports from __future__, which must come first in a file. */
static uint32_t begin_of(const struct tree *t)
{
    uint32_t at = 0;
    for (uint32_t c = tree_first(t, 0); c && tree_kind(t, c) == PY_FUTURE_IMPORT;
         c = tree_next(t, c))
        at = tree_node(t, c)->end + 1;
    return at > t->source->text.n ? (uint32_t)t->source->text.n : at;
}

struct str program_repair(struct reader *r, struct str text, struct arena *a)
{
    struct reading was;
    struct edit_set edits = {0};
    if (!reading_make(r, text, a, &was))
        return text;
    for (size_t i = 0; i < was.parts.n; i++) {
        const struct program_part *p = &was.parts.at[i];
        if (p->kind != PART_DEVICE)
            continue;
        if (tree_kind(&was.tree, p->node) == PY_STRING)
            edit_add(&edits, a, tree_node(&was.tree, p->node)->start,
                     tree_node(&was.tree, p->node)->end, STR("\"cpu\""), (uint32_t)i);
        else
            drop_method(&was, p->node, &edits, a, (uint32_t)i);
    }
    struct str imports = imports_of(r, &was, a);
    if (imports.n) {
        uint32_t at = begin_of(&was.tree);
        edit_add(&edits, a, at, at, imports, (uint32_t)was.parts.n);
    }
    return edit_apply(&edits, was.source.text, a).text;
}
