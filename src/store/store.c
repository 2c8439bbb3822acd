/*
 * Decides which back end serves a URL, and has the parts that are the same for all of them: calls
 * through the vtable, and a few compound operations.
 */
#include "store/store.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/path.h"
#include "case/verdict.h"
#include "store/backend_p.h"

bool store_open(const char *url, enum store_mode mode, struct store **out, struct err *e)
{
    struct str path = str_of(url);
    *out = NULL;
    if (str_starts(path, STR("postgresql:")) || str_starts(path, STR("postgres:")))
        return err_set(e, ERR_UNSUPPORTED,
                       "store %s: PostgreSQL is not supported by this version; give a file", url);
    if (str_is(path, ":memory:")) {
        *out = store_new_memory();
        return true;
    }
    if (str_starts(path, STR("sqlite:")))
        url += sizeof "sqlite:" - 1;
    return store__open_sqlite(url, mode, out, e);
}

void store_close(struct store *s)
{
    if (s)
        s->ops->close(s);
}

bool store_commit(struct store *s, const struct store_change *changes, size_t n, struct err *e)
{
    return n == 0 || s->ops->commit(s, changes, n, e);
}

bool store_claim(struct store *s, const struct store_claim *claim, struct arena *a,
                 struct store_jobs *out, struct err *e)
{
    return s->ops->claim(s, claim, a, out, e);
}

bool store_campaigns(struct store *s, struct arena *a, struct store_campaigns *out, struct err *e)
{
    return s->ops->campaigns(s, a, out, e);
}

bool store_targets(struct store *s, int64_t campaign, struct arena *a, struct store_targets *out,
                   struct err *e)
{
    return s->ops->targets(s, campaign, a, out, e);
}

bool store_jobs(struct store *s, int64_t campaign, struct str state, struct arena *a,
                struct store_jobs *out, struct err *e)
{
    return s->ops->jobs(s, campaign, state, a, out, e);
}

bool store_results(struct store *s, int64_t campaign, int64_t from, int64_t to, struct arena *a,
                   struct store_results *out, struct err *e)
{
    return s->ops->results(s, campaign, from, to, a, out, e);
}

bool store_lost(struct store *s, int64_t campaign, struct arena *a, struct store_results *out,
                struct err *e)
{
    return s->ops->lost(s, campaign, a, out, e);
}

/* A store may come from somebody else: a folder that leaves the campaign's counts as none. */
static struct str inside(struct str folder)
{
    return path_is_inside(folder) ? folder : STR("");
}

bool store_failures(struct store *s, int64_t campaign, struct str bug, size_t n_most,
                    struct arena *a, struct store_failures *out, struct err *e)
{
    bool ok = s->ops->failures(s, campaign, bug, n_most, a, out, e);
    for (size_t i = 0; ok && i < out->n; i++)
        out->at[i].folder = inside(out->at[i].folder);
    return ok;
}

bool store_bugs(struct store *s, struct str id_prefix, struct arena *a, struct store_bugs *out,
                struct err *e)
{
    bool ok = s->ops->bugs(s, id_prefix, a, out, e);
    for (size_t i = 0; ok && i < out->n; i++)
        out->at[i].folder = inside(out->at[i].folder);
    return ok;
}

bool store_aliases(struct store *s, int64_t campaign, struct arena *a, struct store_aliases *out,
                   struct err *e)
{
    return s->ops->aliases(s, campaign, a, out, e);
}

bool store_runs(struct store *s, struct str bug, struct arena *a, struct store_runs *out,
                struct err *e)
{
    return s->ops->runs(s, bug, a, out, e);
}

bool store_events(struct store *s, struct str subject, struct arena *a, struct store_events *out,
                  struct err *e)
{
    return s->ops->events(s, subject, a, out, e);
}

bool store_totals(struct store *s, int64_t campaign, struct store_totals *io, struct err *e)
{
    return s->ops->totals(s, campaign, io, e);
}

bool store_snapshot(struct store *s, int64_t campaign, struct arena *a, struct store_snapshot *out,
                    struct err *e)
{
    return s->ops->snapshot(s, campaign, a, out, e);
}

bool store_bug(struct store *s, struct str id, struct arena *a, struct store_bug *out,
               struct err *e)
{
    struct store_bugs found;
    if (!store_bugs(s, id, a, &found, e))
        return false;
    for (size_t i = 0; i < found.n; i++) {
        if (str_eq(found.at[i].id, id)) {
            *out = found.at[i];
            return true;
        }
    }
    if (found.n == 0)
        return err_set(e, ERR_USAGE, "no bug " STR_FMT " in this store; `assay bugs` lists them",
                       STR_ARG(id));
    if (found.n > 1)
        return err_set(e, ERR_USAGE,
                       STR_FMT " is the start of %zu bugs (" STR_FMT ", " STR_FMT "%s); give more "
                               "letters",
                       STR_ARG(id), found.n, STR_ARG(found.at[0].id), STR_ARG(found.at[1].id),
                       found.n > 2 ? ", ..." : "");
    *out = found.at[0];
    return true;
}

bool store_set_bug_state(struct store *s, const struct store_bug *bug, const char *state,
                         const char *who, const char *why, struct err *e)
{
    struct store_bug row = *bug;
    row.state = str_of(state);
    struct store_event event = {.at_ms = clock_wall_ms(),
                                .who = str_of(who),
                                .what = str_of(state),
                                .subject = bug->id,
                                .text = str_of(why)};
    const struct store_change changes[] = {{.kind = STORE_BUG, .bug = &row},
                                           {.kind = STORE_EVENT, .event = &event}};
    return store_commit(s, changes, COUNT_OF(changes), e);
}

bool store_bug_needs_opinion(const struct store_bug *bug)
{
    return str_is(bug->state, decision_name(DECISION_SECOND_OPINION));
}

bool store_bug_is_known(const struct store_bug *bug)
{
    return str_is(bug->state, "known");
}

bool store_bug_counts(const struct store_bug *bug)
{
    return !str_is(bug->state, "ignored") && !store_bug_is_known(bug) &&
           !str_is(bug->state, "flaky") && !str_is(bug->state, "invalid") &&
           !store_bug_needs_opinion(bug);
}

void store_bug_add_trait(struct store_bug *bug, const char *trait, struct arena *a)
{
    if (!str_has_part(bug->traits, ' ', str_of(trait)))
        bug->traits = str_of(
            arena_printf(a, STR_FMT "%s%s", STR_ARG(bug->traits), bug->traits.n ? " " : "", trait));
}

struct str store_bug_id(struct str key, struct arena *a)
{
    struct hash h = hash_of(key.at, key.n);
    char hex[HASH_HEX_SIZE];
    hash_to_hex(&h, hex);
    return (struct str){str_dup(a, (struct str){hex, STORE_BUG_ID_LEN}), STORE_BUG_ID_LEN};
}
