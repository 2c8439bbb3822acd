/*
 * A program as a worker gets it: its source, its weights, and which function's results are
 * compared. The worker says what it captures.
 */
#include "base/path.h"
#include "case/subject.h"
#include "target/pack_p.h"
#include "target/pool_p.h"
#include "target/subject_p.h"

enum { LEAST_MS = 120000 }; /* an optimiser's compilers take seconds per graph */

static const char weights_name[] = "weights.bin";

static bool accepts(const struct target *t, const struct tcase *c, struct strbuf *reason)
{
    const struct target_description *d = t->installation->description;
    const struct program *p = case_program(c);
    if (!d->accepts_programs) {
        strbuf_adds(reason, "the engine runs models only");
        return false;
    }
    if (t->mode->no_programs) {
        strbuf_adds(reason, "the mode is for models only");
        return false;
    }
    if (p->framework.n && !str_eq(p->framework, d->module)) {
        strbuf_printf(reason, "the program is written for " STR_FMT ", not on " STR_FMT,
                      STR_ARG(p->framework), STR_ARG(d->module));
        return false;
    }
    return true;
}

static bool put(struct ticket *t, struct err *e)
{
    const struct program *p = case_program(t->request.c);
    struct arena *a = &t->arena;
    struct scratch *scratch = t->pool->scratch;
    struct pack pack = {0};
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    t->n_outputs = TICKET_ANY_OUTPUTS;
    json_begin_object(&w);
    json_pair_cstr(&w, "file", weights_name);
    json_key(&w, "tensors");
    pack__tensors(&p->weights, &pack, a, &w);
    json_end_object(&w);
    t->weights_json = strbuf_dup(&text, a);
    strbuf_done(&text);
    return scratch_put(scratch, path_join(a, t->folder, TICKET_PROGRAM), &p->source, 1, e) &&
           scratch_put(scratch, path_join(a, t->folder, weights_name), pack.parts.at, pack.parts.n,
                       e);
}

static void add_keys(const struct job *job, struct json_out *w)
{
    const struct ticket *t = job->ticket;
    json_pair_cstr(w, "program", job->file);
    json_pair_str(w, "path", case_program(t->request.c)->path);
    json_pair_str(w, "entry", case_program(t->request.c)->entry);
    json_key(w, "weights");
    json_put_raw(w, t->weights_json);
}

const struct target_subject target__program = {.accepts = accepts,
                                               .put = put,
                                               .add_keys = add_keys,
                                               .is_alone = true,
                                               .is_untrusted = true,
                                               .least_ms = LEAST_MS};
