/*
 * Decides which failures met during a reduction become items of their own. Candidates also run
 * ahead, before answers that may make them needless; whether such a candidate runs depends on time.
 * So a failure counts only if the reduction would have tried its candidate without running ahead.
 * Must not know which keys the campaign has seen already.
 */
#include "hunt/reproduce/incidental_p.h"

#include "base/compiler.h"
#include "case/disk.h"
#include "hunt/reproduce/keep.h"
#include "store/artifact.h"

static struct str kept(const struct incidentals *s, struct str text)
{
    return (struct str){str_dup(s->a, text), text.n};
}

static bool is_noted(const struct incidentals *s, const struct hash *content, struct str key)
{
    for (size_t i = 0; i < s->noted.n; i++)
        if (hash_eq(&s->noted.at[i].content, content) && str_eq(s->noted.at[i].key, key))
            return true;
    return false;
}

bool incidental__note(struct incidentals *s, const struct judged *seen, enum bug_class class,
                      struct str guard, struct err *e)
{
    struct str folder = {0};
    for (size_t i = 0; i < seen->keys.n; i++) {
        const struct key *k = &seen->keys.at[i];
        bool shadow = k->class == class && str_eq(k->guard, guard); /* the failure being reduced */
        if (shadow || k->decision != DECISION_FAIL || is_noted(s, &seen->c->content, k->strict))
            continue;
        if (folder.n == 0) {
            struct store_artifact row;
            if (!keep_case(s->out, s->scratch, "case", seen->c, s->a, &row, e))
                return false;
            folder = row.folder;
        }
        const struct incidental_noted noted = {seen->c->content, kept(s, k->strict), folder, 0};
        vec_push(&s->noted, s->a, noted);
    }
    return true;
}

static bool is_before(const struct incidental_noted *x, const struct incidental_noted *y)
{
    return x->place != y->place ? x->place < y->place : str_cmp(x->key, y->key) < 0;
}

/* Keeps, for each key, the candidate that was tried first. */
static void sort_firsts(struct incidentals *s, const struct reduction *reduction)
{
    size_t n = 0;
    for (size_t i = 0; i < s->noted.n; i++) {
        struct incidental_noted x = s->noted.at[i];
        x.place = reduce_place(reduction, &x.content);
        if (x.place == 0)
            continue;
        size_t at = n++;
        for (; at > 0 && is_before(&x, &s->noted.at[at - 1]); at--)
            s->noted.at[at] = s->noted.at[at - 1];
        s->noted.at[at] = x;
    }
    s->noted.n = 0;
    for (size_t i = 0; i < n; i++) {
        bool there = false;
        for (size_t k = 0; k < s->noted.n; k++)
            there |= str_eq(s->noted.at[k].key, s->noted.at[i].key);
        if (!there)
            s->noted.at[s->noted.n++] = s->noted.at[i];
    }
}

static bool is_chosen(const struct incidentals *s, struct str key)
{
    for (size_t i = 0; i < s->chosen.n; i++)
        if (str_eq(s->chosen.at[i].key, key))
            return true;
    return false;
}

/* Runs the noted case, as the case of its index runs, for the keys that it has then. */
static bool judge_again(struct incidentals *s, const struct incidental_noted *one, struct runner *r,
                        struct err *e)
{
    struct arena a;
    struct tcase *c;
    struct judged seen = {0};
    arena_init(&a);
    struct run_plan plan = runner_plan_case(r, s->case_at, POOL_FRESH_FORK, &a);
    bool ok = case_read(artifact_path(s->out, one->folder, &a), &a, &c, e) &&
              runner_run(r, plan, c, RUNNER_CULPRITS, &a, &seen, e);
    for (size_t i = 0; ok && i < seen.keys.n && s->chosen.n < INCIDENTALS_MAX; i++) {
        struct str key = seen.keys.at[i].strict;
        if (seen.keys.at[i].decision != DECISION_FAIL || is_chosen(s, key))
            continue;
        const struct incidental_failure found = {kept(s, key), one->folder};
        vec_push(&s->chosen, s->a, found);
    }
    arena_done(&a);
    return ok;
}

bool incidental__choose(struct incidentals *s, const struct reduction *reduction, struct runner *r,
                        struct err *e)
{
    sort_firsts(s, reduction);
    for (size_t i = 0; i < s->noted.n && i < INCIDENTALS_MAX; i++)
        if (!judge_again(s, &s->noted.at[i], r, e))
            return false;
    return true;
}
