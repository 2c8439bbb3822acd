/* What rules are made with: templates filled, a node's text replaced, an entry of the table drawn.
 */
#include "generate/diffuse/diffuse_p.h"
#include "python/edit.h"

struct str diffuse__fill(struct str template, const struct filling *f, size_t n, struct arena *a)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < template.n;) {
        size_t k = 0;
        for (; template.at[i] == '{' && k < n; k++) {
            size_t len = strlen(f[k].name);
            struct str inner = str_sub(template, i + 1, i + 1 + len);
            if (str_is(inner, f[k].name) && i + 1 + len < template.n &&
                template.at[i + 1 + len] == '}')
                break;
        }
        if (template.at[i] == '{' && k < n) {
            strbuf_addstr(&out, f[k].text);
            i += strlen(f[k].name) + 2;
        } else {
            strbuf_addc(&out, template.at[i++]);
        }
    }
    struct str text = strbuf_dup(&out, a);
    strbuf_done(&out);
    return text;
}

struct str diffuse__replace(const struct mutation *m, uint32_t node, struct str text)
{
    struct edit_set edits = {0};
    const struct tree_node *n = tree_node(&m->was->tree, node);
    edit_add(&edits, m->a, n->start, n->end, text, 0);
    return edit_apply(&edits, m->was->source.text, m->a).text;
}

struct str diffuse__draw(struct mutation *m, const char *key)
{
    struct text_list l = framework_table_list(&m->reader->table, key, m->a);
    return l.n ? l.at[rng_below(m->rng, l.n)] : (struct str){0};
}
