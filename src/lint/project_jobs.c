/*
 * Gives jobs to worker processes: the largest first, each to the least loaded. A worker is a fork
 * that has rules and linked summaries. It answers each job with a flag, two lengths, and a report
 * as JSON and a summary of these lengths. Which worker gets a job does not change the answer.
 */
#include "lint/project_p.h"

#include "base/file.h"
#include "lint/report_io.h"
#include "os/process.h"
#include "os/stream.h"
#include "python/summary.h"

enum { FEW_JOBS = 8, ANSWER_FD = 3, HEAD_BYTES = 9 };

struct worker {
    const struct project *project;
    const struct lint_options *options;
    VEC(struct job *) jobs;
    uint64_t load;
    struct process *process;
    struct stream *stream;
    struct strbuf out;
};

/* ---- one job ---- */

static uint64_t n_missed(const struct lint_options *o)
{
    return o->project ? summary_set_n_missed(o->project) : 0;
}

/* NULL, or why the file cannot be read. */
static const char *read_bytes(const struct module_file *m, uint64_t max, struct arena *a,
                              struct str *out)
{
    struct err e = {0};
    struct file_info info = file_stat(m->path);
    *out = m->held;
    if (m->held.n)
        return NULL;
    if (info.kind == FILE_DIRECTORY)
        return "is a folder";
    if (info.kind == FILE_OTHER)
        return "is no regular file (standard input is \"-\")";
    if (info.kind == FILE_REGULAR && info.size > max)
        return arena_printf(a, "%llu bytes, at most %llu are read (max-file-size)",
                            (unsigned long long)info.size, (unsigned long long)max);
    return file_read(m->path, max, a, out, &e) ? NULL : str_dup(a, str_of(e.text));
}

static void do_job(struct linter *l, const struct project *p, const struct job *job,
                   struct arena *a, struct file_report *report, struct strbuf *summary)
{
    const struct module_file *m = job->file;
    struct arena scratch;
    struct str path = str_of(m->path);
    struct lint_input in = {.path = str_sub(path, MIN(p->n_hidden, path.n), path.n),
                            .module = m->name,
                            .is_package = m->is_package,
                            .is_notebook = m->is_notebook,
                            .is_relevant = m->is_relevant || job->is_told,
                            .aliases = m->aliases.at,
                            .n_aliases = m->aliases.n,
                            .taken = m->taken.at,
                            .n_taken = m->taken.n,
                            .is_taken_whole = m->is_taken_whole};
    uint64_t max = p->options.max_file_size ? p->options.max_file_size : 1 << 20;
    arena_init(&scratch);
    const char *why = read_bytes(m, max, &scratch, &in.bytes);
    if (why && job->wants_report)
        linter_unreadable(p->rules, in.path, why, a, report);
    else if (!why && job->wants_report)
        linter_run_and_summarise(l, &in, a, report, job->wants_summary ? summary : NULL);
    else if (!why)
        linter_summarise(l, &in, summary);
    arena_done(&scratch);
}

static struct str keep_bytes(const struct strbuf *b, struct arena *a)
{
    return b->n ? (struct str){arena_dup(a, b->at, b->n), b->n} : (struct str){0};
}

static void do_here(const struct project *p, const struct lint_options *options, struct job *jobs,
                    size_t n, struct arena *a)
{
    struct linter *l = linter_new(p->rules, options);
    for (size_t i = 0; i < n; i++) {
        struct strbuf summary = {0};
        uint64_t before = n_missed(options);
        do_job(l, p, &jobs[i], a, &jobs[i].report, &summary);
        jobs[i].has_missed = n_missed(options) > before;
        jobs[i].summary = keep_bytes(&summary, a);
        strbuf_done(&summary);
    }
    linter_free(l);
}

/* ---- in a worker ---- */

static void put_count(struct strbuf *out, size_t n)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        strbuf_addc(out, (char)(n >> shift & 0xFF));
}

static size_t get_count(struct str s, size_t at)
{
    size_t n = 0;
    for (unsigned i = 0; i < 4; i++)
        n |= (size_t)(unsigned char)s.at[at + i] << (8 * i);
    return n;
}

static int run_worker(void *ctx)
{
    struct worker *w = ctx;
    struct linter *l = linter_new(w->project->rules, w->options);
    struct err e = {0};
    int result = 0;
    for (size_t i = 0; i < w->jobs.n && result == 0; i++) {
        struct arena a;
        struct file_report report;
        struct strbuf text = {0}, summary = {0}, answer = {0};
        arena_init(&a);
        uint64_t before = n_missed(w->options);
        do_job(l, w->project, w->jobs.at[i], &a, &report, &summary);
        if (w->jobs.at[i]->wants_report) {
            struct json_out out = json_open(&text, JSON_COMPACT);
            report_write(&report, &out);
        }
        strbuf_addc(&answer, n_missed(w->options) > before);
        put_count(&answer, text.n);
        put_count(&answer, summary.n);
        strbuf_add(&answer, text.at, text.n);
        strbuf_add(&answer, summary.at, summary.n);
        result = stream_write_full(ANSWER_FD, answer.at, answer.n, &e) ? 0 : 1;
        strbuf_done(&text);
        strbuf_done(&summary);
        strbuf_done(&answer);
        arena_done(&a);
    }
    linter_free(l);
    return result;
}

/* ---- in the parent ---- */

static size_t on_bytes(void *ctx, struct str bytes)
{
    struct worker *w = ctx;
    strbuf_addstr(&w->out, bytes);
    return bytes.n;
}

static void on_close(void *ctx)
{
    struct worker *w = ctx;
    stream_close(w->stream);
    w->stream = NULL;
}

static void on_end(void *ctx, struct process *p, const struct process_end *end)
{
    (void)ctx;
    (void)p;
    (void)end; /* missing answers show a failure */
}

static bool start_worker(struct worker *w, struct loop *loop, struct err *e)
{
    static const char *const argv[] = {"assay", "lint", NULL};
    int ends[2];
    if (!stream_pair(ends, e))
        return false;
    const struct process_fd fd = {ends[1], ANSWER_FD};
    struct process_spec spec = {.argv = argv,
                                .entry = run_worker,
                                .entry_ctx = w,
                                .out = PROCESS_INHERIT,
                                .err = PROCESS_INHERIT,
                                .fds = &fd,
                                .n_fds = 1};
    bool ok = stream_open(loop, ends[0], on_bytes, on_close, w, &w->stream, e) &&
              process_open(loop, &spec, on_end, w, &w->process, e);
    stream_close_fd(ends[1]);
    return ok;
}

static bool take_answer(const struct worker *w, struct str *rest, struct job *job, struct arena *a)
{
    const struct json *root;
    struct err e = {0};
    if (rest->n < HEAD_BYTES)
        return false;
    size_t n_text = get_count(*rest, 1), n_summary = get_count(*rest, 5);
    job->has_missed = rest->at[0] != 0;
    *rest = str_sub(*rest, HEAD_BYTES, rest->n);
    if (n_text > rest->n || n_summary > rest->n - n_text)
        return false;
    struct str text = str_sub(*rest, 0, n_text), bytes = str_sub(*rest, n_text, n_text + n_summary);
    *rest = str_sub(*rest, n_text + n_summary, rest->n);
    if (n_summary)
        job->summary = (struct str){arena_dup(a, bytes.at, bytes.n), bytes.n};
    return !job->wants_report || (json_parse_with_nul(text, "worker", a, &root, &e) &&
                                  report_read(root, w->project->rules, a, &job->report));
}

/* Reads the answers in the order of the jobs; a job without one was lost with its worker. */
static void take_answers(struct worker *w, struct arena *a)
{
    struct str rest = strbuf_str(&w->out);
    bool ok = true;
    for (size_t i = 0; i < w->jobs.n; i++) {
        struct job *job = w->jobs.at[i];
        ok = ok && take_answer(w, &rest, job, a);
        if (!ok && job->wants_report)
            linter_unreadable(w->project->rules, str_of(job->file->path),
                              "the worker that read this file (or one before it) failed", a,
                              &job->report);
    }
}

struct dealt {
    struct job *job;
    size_t at;
};

static int by_size(const void *a, const void *b)
{
    const struct dealt *x = a, *y = b;
    if (x->job->file->size != y->job->file->size)
        return x->job->file->size > y->job->file->size ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void deal(struct worker *workers, unsigned n_workers, struct job *jobs, size_t n,
                 struct arena *work)
{
    struct dealt *order = arena_new_array(work, struct dealt, n);
    for (size_t i = 0; i < n; i++)
        order[i] = (struct dealt){&jobs[i], i};
    qsort(order, n, sizeof *order, by_size);
    for (size_t i = 0; i < n; i++) {
        struct worker *least = &workers[0];
        for (unsigned k = 1; k < n_workers; k++)
            if (workers[k].load < least->load)
                least = &workers[k];
        vec_push(&least->jobs, work, order[i].job);
        least->load += order[i].job->file->size + 2000;
    }
}

static bool do_in_workers(const struct project *p, const struct lint_options *options,
                          struct job *jobs, size_t n, struct arena *a, struct err *e)
{
    struct arena work;
    struct loop *loop;
    bool ok = true;
    if (!loop_open(&loop, e))
        return false;
    arena_init(&work);
    struct worker *workers = arena_new_array(&work, struct worker, p->n_workers);
    deal(workers, p->n_workers, jobs, n, &work);
    for (unsigned k = 0; ok && k < p->n_workers; k++) {
        workers[k].project = p;
        workers[k].options = options;
        ok = start_worker(&workers[k], loop, e);
    }
    ok = ok && loop_run(loop, e);
    for (unsigned k = 0; k < p->n_workers; k++) {
        if (ok)
            take_answers(&workers[k], a);
        stream_close(workers[k].stream);
        process_close(workers[k].process);
        strbuf_done(&workers[k].out);
    }
    loop_close(loop);
    arena_done(&work);
    return ok;
}

bool project__do_jobs(const struct project *p, const struct summary_set *set, struct job *jobs,
                      size_t n, struct arena *a, struct err *e)
{
    struct lint_options options = p->options;
    options.project = set;
    if (p->n_workers > 1 && n >= FEW_JOBS)
        return do_in_workers(p, &options, jobs, n, a, e);
    if (n)
        do_here(p, &options, jobs, n, a);
    return true;
}
