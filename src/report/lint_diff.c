/*
 * Unified diff of two texts by lines (Myers' O(ND) algorithm, 1986). Fixes change few lines, so D
 * is small; beyond the bound the differing middle is shown as one replacement.
 */
#include "report/lint_p.h"

enum { DIFF_D_MAX = 1000, DIFF_CONTEXT = 3 };

struct lines {
    VEC(struct str) list;
};

static void split(struct str text, struct arena *a, struct lines *out)
{
    while (text.n) {
        size_t end = str_find_byte(text, '\n');
        end = end < text.n ? end + 1 : end;
        vec_push(&out->list, a, str_sub(text, 0, end));
        text = str_sub(text, end, text.n);
    }
}

/* Which lines of `a` are deleted, and which of `b` inserted. */
struct marks {
    bool *deleted, *inserted;
};

static void mark_all(const struct lines *a, const struct lines *b, size_t from, size_t to_a,
                     size_t to_b, struct marks *m)
{
    (void)a;
    (void)b;
    for (size_t i = from; i < to_a; i++)
        m->deleted[i] = true;
    for (size_t i = from; i < to_b; i++)
        m->inserted[i] = true;
}

/* Walks the saved frontiers back from the end. */
static void mark_back(int *const *saved, int d, int n, int m, size_t from, struct marks *marks)
{
    int x = n, y = m;
    for (; d > 0; d--) {
        const int *v = saved[d] + DIFF_D_MAX + 1;
        int k = x - y;
        bool down = k == -d || (k != d && v[k - 1] < v[k + 1]);
        int before_k = down ? k + 1 : k - 1;
        int before_x = v[before_k], before_y = before_x - before_k;
        if (down)
            marks->inserted[from + (size_t)before_y] = true;
        else
            marks->deleted[from + (size_t)before_x] = true;
        x = before_x;
        y = before_y;
    }
}

static void compare(const struct lines *a, const struct lines *b, struct arena *arena,
                    struct marks *marks)
{
    size_t from = 0, end_a = a->list.n, end_b = b->list.n;
    while (from < end_a && from < end_b && str_eq(a->list.at[from], b->list.at[from]))
        from++;
    while (end_a > from && end_b > from && str_eq(a->list.at[end_a - 1], b->list.at[end_b - 1])) {
        end_a--;
        end_b--;
    }
    int n = (int)(end_a - from), m = (int)(end_b - from);
    int **saved = arena_new_array(arena, int *, DIFF_D_MAX + 1);
    int *v = arena_new_array(arena, int, 2 * DIFF_D_MAX + 3) + DIFF_D_MAX + 1;
    for (int d = 0; d <= DIFF_D_MAX; d++) {
        saved[d] = arena_dup(arena, v - DIFF_D_MAX - 1, (2 * DIFF_D_MAX + 3) * sizeof(int));
        for (int k = -d; k <= d; k += 2) {
            int x = k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;
            int y = x - k;
            while (x < n && y < m &&
                   str_eq(a->list.at[from + (size_t)x], b->list.at[from + (size_t)y])) {
                x++;
                y++;
            }
            v[k] = x;
            if (x >= n && y >= m) {
                mark_back(saved, d, n, m, from, marks);
                return;
            }
        }
    }
    mark_all(a, b, from, end_a, end_b, marks);
}

static void add_line(struct strbuf *out, char mark, struct str line)
{
    strbuf_addc(out, mark);
    strbuf_addstr(out, line);
    if (!line.n || line.at[line.n - 1] != '\n')
        strbuf_adds(out, "\n\\ No newline at end of file\n");
}

/* Adds one hunk, from line *i of `a` and *k of `b` on: it goes on while changes are at most twice
 * the context apart. */
static void add_hunk(const struct lines *a, const struct lines *b, const struct marks *m, size_t *i,
                     size_t *k, struct strbuf *out)
{
    size_t before = MIN((size_t)DIFF_CONTEXT, *i), start_a = *i - before, start_b = *k - before;
    size_t at_a = *i, at_b = *k, same = 0;
    struct strbuf body = {0};
    for (size_t c = start_a; c < *i; c++)
        add_line(&body, ' ', a->list.at[c]);
    while (at_a < a->list.n || at_b < b->list.n) {
        if (at_a < a->list.n && m->deleted[at_a]) {
            add_line(&body, '-', a->list.at[at_a++]);
            same = 0;
        } else if (at_b < b->list.n && m->inserted[at_b]) {
            add_line(&body, '+', b->list.at[at_b++]);
            same = 0;
        } else {
            size_t ahead = 0;
            while (ahead < 2 * DIFF_CONTEXT && at_a + ahead < a->list.n &&
                   !m->deleted[at_a + ahead] && at_b + ahead < b->list.n &&
                   !m->inserted[at_b + ahead])
                ahead++;
            bool more = ahead < 2 * DIFF_CONTEXT &&
                        ((at_a + ahead < a->list.n && m->deleted[at_a + ahead]) ||
                         (at_b + ahead < b->list.n && m->inserted[at_b + ahead]));
            if (!more && same == DIFF_CONTEXT)
                break;
            add_line(&body, ' ', a->list.at[at_a++]);
            at_b++;
            same++;
        }
    }
    strbuf_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", at_a > start_a ? start_a + 1 : start_a,
                  at_a - start_a, at_b > start_b ? start_b + 1 : start_b, at_b - start_b);
    strbuf_addstr(out, strbuf_str(&body));
    strbuf_done(&body);
    *i = at_a;
    *k = at_b;
}

void lint_write_diff(struct str path, struct str before, struct str after, struct strbuf *out)
{
    struct arena arena;
    struct lines a = {0}, b = {0};
    if (str_eq(before, after))
        return;
    arena_init(&arena);
    split(before, &arena, &a);
    split(after, &arena, &b);
    struct marks m = {arena_new_array(&arena, bool, a.list.n + 1),
                      arena_new_array(&arena, bool, b.list.n + 1)};
    compare(&a, &b, &arena, &m);
    strbuf_printf(out, "--- " STR_FMT "\n+++ " STR_FMT "\n", STR_ARG(path), STR_ARG(path));
    for (size_t i = 0, k = 0; i < a.list.n || k < b.list.n;) {
        bool changed = (i < a.list.n && m.deleted[i]) || (k < b.list.n && m.inserted[k]);
        if (changed) {
            add_hunk(&a, &b, &m, &i, &k, out);
        } else {
            i++;
            k++;
        }
    }
    arena_done(&arena);
}
