/* What rules are made with: templates filled, a node's text replaced, an entry of the table drawn.
 */
#include "base/compiler.h"
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

/* "torch.add({x}, {y})" is torch.add: a word, as learned_reward reads it. */
static struct str word_of(struct str name, struct arena *a)
{
    enum { WORD_MAX = 48 };
    struct str head = str_sub(name, 0, MIN(str_find_byte(name, '('), (size_t)WORD_MAX));
    struct str kept = head.n ? head : str_sub(name, 0, WORD_MAX);
    char *word = str_dup(a, kept);
    for (size_t i = 0; i < kept.n; i++)
        if (word[i] == ' ' || word[i] == '\n')
            word[i] = '_';
    return (struct str){word, kept.n};
}

static double factor_of(const struct mutation *m, enum arm_kind kind, struct str word)
{
    return m->learned ? learned_factor(m->learned, m->epoch, learned_arm_id(kind, m->rule, word))
                      : 1;
}

size_t diffuse__choose(struct mutation *m, const struct choice *c, size_t n)
{
    double *weights = arena_new_array(m->a, double, n);
    for (size_t i = 0; i < n; i++)
        weights[i] = c[i].weight *
                     factor_of(m, ARM_BUCKET, m->learned ? word_of(c[i].name, m->a) : c[i].name);
    size_t at = rng_weighted(m->rng, weights, n);
    strbuf_printf(m->said, " bucket=" STR_FMT, STR_ARG(word_of(c[at].name, m->a)));
    return at;
}

uint64_t diffuse__stride(uint64_t n, uint64_t near)
{
    for (uint64_t step = near % n + 1;; step++) {
        uint64_t a = n, b = step;
        while (b) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step;
    }
}

size_t diffuse__pick(struct mutation *m, const struct choice *c, size_t n)
{
    if (!m->in_turn)
        return diffuse__choose(m, c, n);
    /* Neighbours of a list are alike: a step of 0.62 of it goes far, and visits all. */
    size_t at = (size_t)((m->in_turn++ - 1) * diffuse__stride(n, n * 62 / 100) % n);
    strbuf_printf(m->said, " bucket=" STR_FMT, STR_ARG(word_of(c[at].name, m->a)));
    return at;
}

struct str diffuse__draw(struct mutation *m, const char *key)
{
    struct text_list l = framework_table_list(&m->reader->table, key, m->a);
    struct choice *c = arena_new_array(m->a, struct choice, l.n + 1);
    for (size_t i = 0; i < l.n; i++)
        c[i] = (struct choice){l.at[i], 1};
    return l.n ? l.at[diffuse__pick(m, c, l.n)] : (struct str){0};
}
