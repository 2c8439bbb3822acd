/*
 * Decides which symbols are called in the same places: in the bodies of one function of Keras on
 * two backends, and in two frameworks' rows of one ONNX operator. Must not know which turn out
 * equal.
 */
#include "align/verify/pivot.h"
#include "align/verify/verify_p.h"
#include "base/file.h"
#include "base/path.h"
#include "emit/emit.h"

enum {
    FILE_MAX = 4 << 20,
    USES_MAX = 4,     /* a body that calls more functions tells little about each */
    PLUMBING_MIN = 8, /* a function that more bodies use (reshape, where) tells nothing */
};

/* The public functions that a body uses, of one side. */
struct body {
    struct str name;
    VEC(const struct symbol *) uses;
};

struct body_list {
    VEC(struct body) list;
};

static void take_bodies(const struct alignment *t, const struct side *s, const struct pivot *p,
                        struct body_list *out)
{
    for (size_t i = 0; i < p->bodies.n; i++) {
        struct body one = {.name = p->bodies.at[i].name};
        for (size_t k = 0; k < p->bodies.at[i].uses.n; k++) {
            const struct symbol *used =
                side_symbol(s, side_short_name(p->bodies.at[i].uses.at[k], t->a));
            if (used && !used->is_class)
                vec_push(&one.uses, t->a, used);
        }
        if (one.uses.n)
            vec_push(&out->list, t->a, one);
    }
}

static bool is_used(const struct body *b, const struct symbol *s)
{
    for (size_t i = 0; i < b->uses.n; i++)
        if (b->uses.at[i] == s)
            return true;
    return false;
}

static bool is_plumbing(const struct body_list *all, const struct symbol *s)
{
    size_t n = 0;
    for (size_t i = 0; i < all->list.n; i++)
        n += is_used(&all->list.at[i], s);
    return n > PLUMBING_MIN;
}

/* Without what nearly all bodies use, unless a body uses nothing else. */
static struct body_list without_plumbing(struct alignment *t, const struct body_list *all)
{
    struct body_list out = {{0}};
    for (size_t i = 0; i < all->list.n; i++) {
        const struct body *b = &all->list.at[i];
        struct body kept = {.name = b->name};
        for (size_t k = 0; k < b->uses.n; k++)
            if (b->uses.n == 1 || !is_plumbing(all, b->uses.at[k]))
                vec_push(&kept.uses, t->a, b->uses.at[k]);
        vec_push(&out.list, t->a, kept);
    }
    return out;
}

static const struct body *find_body(const struct body_list *all, struct str name)
{
    for (size_t i = 0; i < all->list.n; i++)
        if (str_eq(all->list.at[i].name, name))
            return &all->list.at[i];
    return NULL;
}

static void join(struct alignment *t, const struct body_list *all_a, const struct body_list *all_b,
                 struct site_list *out)
{
    const struct body_list a = without_plumbing(t, all_a), b = without_plumbing(t, all_b);
    for (size_t i = 0; i < a.list.n; i++) {
        const struct body *x = &a.list.at[i], *y = find_body(&b, x->name);
        if (!y || x->uses.n > USES_MAX || y->uses.n > USES_MAX)
            continue;
        for (size_t k = 0; k < x->uses.n; k++)
            for (size_t n = 0; n < y->uses.n; n++)
                vec_push(&out->list, t->a, (struct site){x->uses.at[k], y->uses.at[n]});
    }
}

/* Keras's backends ------------------------------------------------------------------------------*/

/* DIR/lib/python3.11/site-packages/PATH of one of the installation's folders; NULL: not there. */
static const char *packaged_file(const struct alignment *t,
                                 const struct target_installation *installation, const char *path)
{
    for (size_t i = 0; i < installation->n_roots; i++) {
        const char *lib = path_join(t->a, installation->roots[i], "lib");
        struct file_list list;
        struct err ignored = {0};
        if (!file_list_dir(lib, t->a, &list, &ignored))
            continue;
        for (size_t k = 0; k < list.n; k++) {
            const char *found =
                arena_printf(t->a, "%s/%s/site-packages/%s", lib, list.names[k], path);
            if (file_stat(found).kind == FILE_REGULAR)
                return found;
        }
    }
    return NULL;
}

/* The functions of each backend file of the pivot's side as written for side `of`; for the pivot's
 * side itself: its public function of that name. */
static bool backend_bodies(struct alignment *t, const struct side *pivot,
                           const struct target_installation *installation, const struct side *of,
                           struct body_list *out, struct err *e)
{
    for (size_t i = 0; i < pivot->backend_files.n; i++) {
        struct pivot read;
        struct str text;
        const char *file = packaged_file(
            t, installation,
            arena_printf(t->a, STR_FMT "/" STR_FMT "/" STR_FMT, STR_ARG(pivot->backend_folder),
                         STR_ARG(of->name), STR_ARG(pivot->backend_files.at[i])));
        if (!file)
            continue;
        if (!file_read(file, FILE_MAX, t->a, &text, e) || !pivot_read(text, t->a, &read, e))
            return err_wrap(e, "%s", file);
        take_bodies(t, of, &read, out);
    }
    return true;
}

static struct str last_part(struct str dotted)
{
    struct str part = dotted;
    while (str_split(&dotted, '.', &part))
        ;
    return part;
}

/* A public function stands for its own bodies. */
static void own_bodies(const struct alignment *t, const struct side *s, struct body_list *out)
{
    for (size_t i = 0; i < s->symbols.n; i++) {
        struct body one = {.name = last_part(s->symbols.at[i].name)};
        if (s->symbols.at[i].is_class || !str_starts(s->symbols.at[i].name, s->backend_of))
            continue;
        vec_push(&one.uses, t->a, &s->symbols.at[i]);
        vec_push(&out->list, t->a, one);
    }
}

static bool by_backends(struct alignment *t, const struct opened *a, const struct opened *b,
                        struct site_list *out, struct err *e)
{
    for (size_t i = 0; i < t->sides.n; i++) {
        const struct side *pivot = &t->sides.at[i];
        const struct target_installation *installation =
            targets_newest(t->o->targets, pivot->engine);
        struct body_list of_a = {{0}}, of_b = {{0}};
        if (!pivot->backend_files.n || !installation)
            continue;
        if (!backend_bodies(t, pivot, installation, a->side, &of_a, e))
            return false;
        if (b->side == pivot)
            own_bodies(t, pivot, &of_b);
        else if (!backend_bodies(t, pivot, installation, b->side, &of_b, e))
            return false;
        join(t, &of_a, &of_b, out);
    }
    return true;
}

/* Tables of emit/ -------------------------------------------------------------------------------*/

static bool emitted_bodies(struct alignment *t, const struct side *s, struct body_list *out,
                           bool *is_there, struct err *e)
{
    struct strbuf text = {0};
    struct pivot read;
    *is_there = emit_print_table(s->name, &text);
    bool ok = !*is_there || pivot_read(strbuf_str(&text), t->a, &read, e);
    strbuf_done(&text);
    if (ok && *is_there)
        take_bodies(t, s, &read, out);
    return ok;
}

static bool by_emission(struct alignment *t, const struct opened *a, const struct opened *b,
                        struct site_list *out, struct err *e)
{
    struct body_list of_a = {{0}}, of_b = {{0}};
    bool has_a, has_b;
    if (!emitted_bodies(t, a->side, &of_a, &has_a, e) ||
        !emitted_bodies(t, b->side, &of_b, &has_b, e))
        return false;
    if (has_a && has_b)
        join(t, &of_a, &of_b, out);
    return true;
}

bool verify__sites(struct alignment *t, const struct opened *a, const struct opened *b,
                   struct site_list *out, struct err *e)
{
    return by_backends(t, a, b, out, e) && by_emission(t, a, b, out, e);
}
