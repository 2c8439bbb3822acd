/* Decides how a reduction job is done inside a pilot and what goes back: the bug's rows, or that
 * the failure is gone. While it waits for engines the pilot's cases go on. The coordinator decides
 * whether a bug is known already. */
#include <malloc.h>

#include "base/compiler.h"
#include "base/path.h"
#include "case/disk.h"
#include "hunt/pilot/pilot_p.h"
#include "hunt/reproduce/reproduce.h"
#include "store/artifact.h"

static void on_progress(void *ctx, uint32_t n_before, uint32_t n_nodes)
{
    struct pilot *p = ctx;
    struct err ignored;
    struct json_out w = message_begin(&p->text);
    json_pair_u64(&w, "before", n_before);
    json_pair_u64(&w, "nodes", n_nodes);
    message_send(p->stream, MESSAGE_PROGRESS, &w, &ignored);
}

static bool is_gone(void *ctx)
{
    return ((struct pilot *)ctx)->is_closed;
}

static void put_rows(const struct reproducer *r, struct json_out *w)
{
    json_key(w, "rows");
    json_begin_array(w);
    if (r->bug.folder.n) {
        message_put_row(w,
                        &(struct store_change){.kind = STORE_ARTIFACT, .artifact = &r->artifact});
        message_put_row(w, &(struct store_change){.kind = STORE_BUG, .bug = &r->bug});
        for (size_t i = 0; i < r->runs.n_runs; i++)
            message_put_row(w, &(struct store_change){.kind = STORE_RUN, .run = &r->runs.runs[i]});
    }
    json_end_array(w);
}

static bool send_triaged(struct pilot *p, struct str name, const struct reproducer *r,
                         struct err *e)
{
    struct json_out w = message_begin(&p->text);
    json_pair_str(&w, "name", name);
    json_pair_cstr(&w, "state",
                   r->state != CONFIRM_GONE && r->second_opinion ? "second opinion"
                                                                 : confirm_state_name(r->state));
    json_pair_str(&w, "why", r->why);
    json_pair_str(&w, "reduced_key", r->reduced_key);
    json_pair_bool(&w, "unreduced", r->unreduced);
    json_pair_u64(&w, "reduce_runs", r->counts.n_runs);
    put_rows(r, &w);
    json_key(&w, "others");
    json_begin_array(&w);
    for (size_t i = 0; i < r->n_incidentals; i++) {
        json_begin_object(&w);
        json_pair_str(&w, "key", r->incidentals[i].key);
        json_pair_str(&w, "folder", r->incidentals[i].folder);
        json_end_object(&w);
    }
    json_end_array(&w);
    return message_send(p->stream, MESSAGE_TRIAGED, &w, e);
}

bool pilot__reduce(struct pilot *p, const struct inbox_entry *entry, struct err *e)
{
    struct arena a;
    struct tcase *c;
    struct reproducer made = {.state = CONFIRM_GONE};
    struct str name = json_get_str(entry->body, "name", STR(""));
    struct str key = json_get_str(entry->body, "key", STR(""));
    struct str folder = json_get_str(entry->body, "folder", STR(""));
    int64_t case_at = json_get_i64(entry->body, "case_at", 0);
    const struct reproducer_options options = {.out = p->options.out,
                                               .scratch = p->scratch,
                                               .case_at = (uint64_t)case_at,
                                               .timeless = p->timeless,
                                               .whole = json_get_bool(entry->body, "whole", false),
                                               .on_progress = on_progress,
                                               .should_stop = is_gone,
                                               .ctx = p};
    arena_init(&a);
    p->in_triage = true;
    bool ok = case_read(artifact_path(p->options.out, folder, &a), &a, &c, e) &&
              reproduce_case(&p->second, &options, c, key, &a, &made, e);
    if (made.bug.folder.n) {
        made.bug.case_at = case_at;
        made.bug.campaign = (int64_t)p->campaign;
    }
    p->in_triage = false;
    ok = ok && send_triaged(p, name, &made, e);
    arena_done(&a);
    malloc_trim(0); /* what large cases took for a moment, else kept for the rest of the campaign */
    return ok;
}
