/* What the formats of lint findings share: counts, fixability, statistics, URIs. */
#include "report/lint_p.h"

bool lint__is_fixable(const struct lint_run *run, const struct finding *f)
{
    return f->fix.safety == SAFETY_SAFE || (f->fix.safety == SAFETY_UNSAFE && run->unsafe_fixes);
}

uint64_t lint__count(const struct lint_run *run, bool only_fixable)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++)
            n += !only_fixable || lint__is_fixable(run, &run->files[i].findings[k]);
    return n;
}

void lint_rule_url(const struct finding *f, struct strbuf *out)
{
    static const char base[] = ASSAY_RULES_URL;
    if (base[0])
        strbuf_printf(out, "%s/" STR_FMT ".md", base, STR_ARG(f->code));
}

struct tally {
    struct str code, name;
    uint64_t n, n_fixable;
};

static int by_count(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return str_cmp(x->code, y->code);
}

struct tallies {
    VEC(struct tally) list;
};

static void count_rules(const struct lint_run *run, struct tallies *t)
{
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n; k++) {
            const struct finding *f = &run->files[i].findings[k];
            size_t at = 0;
            while (at < t->list.n && !str_eq(t->list.at[at].code, f->code))
                at++;
            if (at == t->list.n)
                vec_push(&t->list, NULL, (struct tally){f->code, f->name, 0, 0});
            t->list.at[at].n++;
            t->list.at[at].n_fixable += lint__is_fixable(run, f);
        }
    if (t->list.n)
        qsort(t->list.at, t->list.n, sizeof *t->list.at, by_count);
}

void lint_write_statistics(const struct lint_run *run, struct strbuf *out)
{
    struct tallies t = {0};
    count_rules(run, &t);
    for (size_t i = 0; i < t.list.n; i++)
        strbuf_printf(out, "%5llu  " STR_FMT "  [%c] " STR_FMT "\n",
                      (unsigned long long)t.list.at[i].n, STR_ARG(t.list.at[i].code),
                      t.list.at[i].n_fixable == t.list.at[i].n ? '*'
                      : t.list.at[i].n_fixable                 ? '-'
                                                               : ' ',
                      STR_ARG(t.list.at[i].name));
    strbuf_printf(out, "Found %llu finding%s.\n", (unsigned long long)lint__count(run, false),
                  lint__count(run, false) == 1 ? "" : "s");
    vec_free(&t.list);
}

void lint_write_statistics_json(const struct lint_run *run, struct strbuf *out)
{
    struct tallies t = {0};
    struct json_out w = json_open(out, JSON_PRETTY);
    count_rules(run, &t);
    json_begin_array(&w);
    for (size_t i = 0; i < t.list.n; i++) {
        json_begin_object(&w);
        json_pair_str(&w, "code", t.list.at[i].code);
        json_pair_str(&w, "name", t.list.at[i].name);
        json_pair_u64(&w, "count", t.list.at[i].n);
        json_pair_bool(&w, "fixable", t.list.at[i].n_fixable > 0);
        json_end_object(&w);
    }
    json_end_array(&w);
    strbuf_addc(out, '\n');
    vec_free(&t.list);
}

/* As ruff: "Fixed 2 findings:", then a line per file and under it a line per rule. */
void lint_write_fixes(const struct lint_run *run, struct strbuf *out)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run->n_files; i++)
        for (size_t k = 0; k < run->files[i].n_fixed_rules; k++)
            n += run->files[i].fixed[k].n;
    if (n)
        strbuf_printf(out, "Fixed %llu finding%s:\n", (unsigned long long)n, n == 1 ? "" : "s");
    for (size_t i = 0; i < run->n_files; i++) {
        const struct file_report *file = &run->files[i];
        if (file->n_fixed_rules)
            strbuf_printf(out, "- " STR_FMT ":\n", STR_ARG(file->path));
        for (size_t k = 0; k < file->n_fixed_rules; k++)
            strbuf_printf(out, "    %u × " STR_FMT " (" STR_FMT ")\n", file->fixed[k].n,
                          STR_ARG(file->fixed[k].code), STR_ARG(file->fixed[k].name));
    }
}
