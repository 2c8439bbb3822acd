/* assay reduce: makes a failing case smaller, here and now; the hunt does the same in the
 * background. */
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "case/disk.h"
#include "cli/campaign.h"
#include "cli/case_run.h"
#include "cli/command.h"
#include "judge/bucket.h"
#include "os/signal.h"
#include "reduce/reduce.h"

/* Finds the folder of a bug or of a case, and where the smaller case is written. Artifacts are
 * named by their content and never changed. */
static bool find_case(const struct settings *s, const char **folder, const char **to, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct store_bug bug;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE, "one bug id or case folder is expected, got %zu arguments",
                       s->n_args);
    *folder = s->args[0];
    *to = arena_printf(s->arena, "%s-reduced", s->args[0]);
    if (file_stat(s->args[0]).kind == FILE_DIRECTORY)
        return true;
    if (!campaign_open(s, STORE_READ, &place, &store, e))
        return false;
    bool ok = campaign_bug_argument(s, store, &bug, e);
    store_close(store);
    if (!ok)
        return false;
    *folder = campaign_bug_folder(&place, &bug, s->arena);
    *to =
        path_join(s->arena, place.out, arena_printf(s->arena, "reduced/" STR_FMT, STR_ARG(bug.id)));
    return *folder ||
           err_set(e, ERR_DATA, "bug " STR_FMT " has no folder any more", STR_ARG(bug.id));
}

static bool keys_of(struct case_run *r, const struct tcase *c, struct arena *a, struct keys *out,
                    struct err *e)
{
    struct case_seen seen;
    if (!case_run_judge(r, c, a, &seen, e))
        return false;
    bucket_keys(&seen.evidence, &seen.verdicts, a, out);
    return true;
}

static bool shrink(struct case_run *r, struct reduction *reduction, struct err *e)
{
    const struct tcase *candidate;
    struct arena a;
    bool ok = true;
    arena_init(&a);
    while (ok && !reduce_is_done(reduction) && !signal_interrupted()) {
        struct keys seen = {0};
        arena_reset(&a);
        if (!reduce_next(reduction, &candidate))
            break;
        ok = keys_of(r, candidate, &a, &seen, e);
        if (ok && reduce_tell(reduction, &candidate->id, &seen) == REDUCE_TOLD_SAME)
            log_debug("%u nodes after %u runs", reduce_counts(reduction).n_nodes,
                      reduce_counts(reduction).n_runs);
    }
    arena_done(&a);
    return ok;
}

static void print_result(const struct settings *s, const struct reduce_counts *n, struct str title,
                         const char *to)
{
    struct strbuf text = {0};
    if (!settings_want_json(s)) {
        out_putf("%u nodes -> %u after %u runs: %s\n", n->n_nodes_before, n->n_nodes, n->n_runs,
                 to);
        out_line(title);
        return;
    }
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_u64(&w, "nodes_before", n->n_nodes_before);
    json_pair_u64(&w, "nodes", n->n_nodes);
    json_pair_u64(&w, "runs", n->n_runs);
    json_pair_str(&w, "title", title);
    json_pair_cstr(&w, "folder", to);
    json_end_object(&w);
    out_json(&text);
}

static bool reduce_case(const struct settings *s, struct case_run *r, const struct tcase *c,
                        const char *to, struct err *e)
{
    struct keys keys;
    struct reduction *reduction;
    if (!keys_of(r, c, s->arena, &keys, e))
        return false;
    if (keys.n == 0)
        return err_set(
            e, ERR_DATA,
            "the case does not fail in the named targets: nothing to keep while reducing");
    if (!reduce_open(&(struct reduce_options){.n_outstanding = 1}, c, &keys.at[0], &reduction, e))
        return false;
    bool ok = shrink(r, reduction, e) && case_write(to, reduce_best(reduction), e);
    struct reduce_counts n = reduce_counts(reduction);
    if (ok)
        print_result(s, &n, keys.at[0].title, to);
    reduce_close(reduction);
    return ok;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    const char *folder, *to;
    struct tcase *c;
    struct case_run r;
    if (!signal_catch_interrupts(e) || !find_case(s, &folder, &to, e) ||
        !case_read(folder, s->arena, &c, e) || !case_run_open(&r, s, e))
        return false;
    bool ok = reduce_case(s, &r, c, to, e);
    case_run_close(&r);
    if (signal_interrupted())
        *exit_code = exit_code_of_signal(signal_interrupted());
    return ok || err_wrap(e, "%s", folder);
}

const struct command command_reduce = {
    .name = "reduce",
    .arguments = "ID|CASE",
    .summary = "make a failing case smaller while it fails the same way",
    .details =
        "The smaller case is written beside the old one, as CASE-reduced; of a bug, to reduced/ID "
        "in the campaign's folder.\n"
        "The bug and its report stay as they are: the hunt has reduced each bug by itself; "
        "this is for a case of your\n"
        "own, or for other targets.",
    .examples = "  assay reduce case --target ort/all",
    .run = run,
};
