/*
 * Maps edits of a notebook's joined text back to its cells. A cell that no edit touches keeps its
 * bytes; magics are part of the text as they are written. Invariant: no edit reaches from one cell
 * into the next.
 */
#include "lint/fix_p.h"

#include "base/vec.h"

static struct str text_of_cell(const struct source_cell *cell, const struct edit_result *r,
                               bool *is_changed)
{
    int64_t before = 0, inside = 0;
    *is_changed = false;
    for (uint32_t i = 0; i < r->n_edits; i++) {
        const struct text_edit *e = &r->edits[i];
        int64_t grows = (int64_t)e->text.n - (int64_t)(e->end - e->start);
        if (e->start >= cell->text_at && e->start <= cell->text_end) {
            inside += grows;
            *is_changed = true;
        } else if (e->start < cell->text_at) {
            before += grows;
        }
    }
    return str_sub(r->text, (size_t)(cell->text_at + before),
                   (size_t)(cell->text_end + before + inside));
}

bool fix__notebook(const struct source *s, const struct edit_set *set, struct arena *a,
                   struct edit_result *out, struct err *e)
{
    struct str text;
    VEC(struct source_cell_text) cells = {0};
    struct strbuf bytes = {0};
    if (!source_join_as_written(s, a, &text, e))
        return false;
    *out = edit_apply(set, text, a);
    for (size_t i = 0; i < s->n_cells; i++) {
        bool is_changed;
        struct source_cell_text cell = {s->cells[i].number,
                                        text_of_cell(&s->cells[i], out, &is_changed)};
        if (is_changed)
            vec_push(&cells, a, cell);
    }
    bool ok = source_write_notebook(s, cells.at, cells.n, &bytes, e);
    out->text = strbuf_dup(&bytes, a);
    strbuf_done(&bytes);
    return ok;
}
