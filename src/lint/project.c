/*
 * Files are dealt to workers by size, largest first to the least loaded. Which worker took a file
 * changes nothing in the answer; the order of reports is that of the files.
 */
#include "lint/project.h"

#include "base/file.h"
#include "base/path.h"
#include "lint/cache.h"
#include "lint/report_io.h"
#include "os/process.h"
#include "os/stream.h"

enum { FEW_FILES = 8 };

struct job {
    const struct discovered_file *file;
    struct hash content;
    uint64_t size;
    uint32_t at; /* in the answer */
};

struct worker {
    const struct project *project;
    VEC(struct job) jobs;
    uint64_t load;
    struct process *process;
    struct stream *stream;
    struct strbuf out;
};

enum { ANSWER_FD = 3 };

/* "pkg.train" of a path below packages: folders with an __init__.py. */
static struct str module_of(const char *path, struct arena *a, bool *is_package)
{
    struct strbuf name = {0};
    struct str at = str_of(path), base = path_base(at);
    size_t stem = base.n - path_extension(at).n;
    *is_package = str_is(base, "__init__.py");
    if (!*is_package)
        strbuf_add(&name, base.at, stem);
    for (struct str dir = path_dir(at); dir.n && !str_is(dir, ".") && !str_is(dir, "/");
         dir = path_dir(dir)) {
        const char *init = path_join(a, str_dup(a, dir), "__init__.py");
        if (file_stat(init).kind != FILE_REGULAR)
            break;
        struct str folder = path_base(dir);
        struct strbuf longer = {0};
        strbuf_addstr(&longer, folder);
        if (name.n) {
            strbuf_addc(&longer, '.');
            strbuf_addstr(&longer, strbuf_str(&name));
        }
        strbuf_done(&name);
        name = longer;
    }
    struct str result = strbuf_dup(&name, a);
    strbuf_done(&name);
    return result;
}

static void lint_one(struct linter *l, const struct project *p, const struct discovered_file *file,
                     struct arena *a, struct file_report *out)
{
    struct arena scratch;
    struct err e = {0};
    struct lint_input in = {.path = str_of(file->path)};
    uint64_t max = p->options.max_file_size ? p->options.max_file_size : 1 << 20;
    arena_init(&scratch);
    in.is_notebook = str_ends(in.path, STR(".ipynb"));
    struct file_info info = file_stat(file->path);
    if (info.kind == FILE_DIRECTORY) {
        linter_unreadable(p->rules, in.path, "is a folder", a, out);
    } else if (info.kind == FILE_REGULAR && info.size > max) {
        const char *why = arena_printf(&scratch, "%llu bytes, at most %llu are read",
                                       (unsigned long long)info.size, (unsigned long long)max);
        linter_unreadable(p->rules, in.path, why, a, out);
    } else if (!file_read(file->path, max, &scratch, &in.bytes, &e)) {
        linter_unreadable(p->rules, in.path, e.text, a, out);
    } else {
        in.module = module_of(file->path, &scratch, &in.is_package);
        linter_run(l, &in, a, out);
    }
    arena_done(&scratch);
}

static int run_worker(void *ctx)
{
    struct worker *w = ctx;
    struct linter *l = linter_new(w->project->rules, &w->project->options);
    struct err e = {0};
    int result = 0;
    for (size_t i = 0; i < w->jobs.n && result == 0; i++) {
        struct arena a;
        struct file_report report;
        struct strbuf line = {0};
        arena_init(&a);
        lint_one(l, w->project, w->jobs.at[i].file, &a, &report);
        struct json_out out = json_open(&line, JSON_COMPACT);
        report_write(&report, &out);
        strbuf_addc(&line, '\n');
        result = stream_write_full(ANSWER_FD, line.at, line.n, &e) ? 0 : 1;
        strbuf_done(&line);
        arena_done(&a);
    }
    linter_free(l);
    return result;
}

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
    (void)end; /* what is missing in its answers tells of a failure */
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

/* The lines a worker wrote, one per job in order; a job without one was lost with its worker. */
static void take_answers(struct worker *w, struct arena *a, struct file_report *reports)
{
    struct str rest = strbuf_str(&w->out), line;
    size_t at = 0;
    for (; at < w->jobs.n && rest.n && str_find_byte(rest, '\n') < rest.n; at++) {
        const struct json *root;
        struct err e = {0};
        if (!str_split(&rest, '\n', &line) || !json_parse(line, "worker", a, &root, &e) ||
            !report_read(root, w->project->rules, a, &reports[w->jobs.at[at].at]))
            break;
    }
    for (; at < w->jobs.n; at++)
        linter_unreadable(w->project->rules, str_of(w->jobs.at[at].file->path),
                          "the worker that read this file (or one before it) failed", a,
                          &reports[w->jobs.at[at].at]);
}

static int by_size(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static bool run_parallel(const struct project *p, struct job *jobs, size_t n, struct arena *a,
                         struct file_report *reports, struct err *e)
{
    struct loop *loop;
    struct worker *workers = arena_new_array(a, struct worker, p->n_workers);
    bool ok = true;
    if (!loop_open(&loop, e))
        return false;
    qsort(jobs, n, sizeof *jobs, by_size);
    for (size_t i = 0; i < n; i++) {
        struct worker *least = &workers[0];
        for (unsigned k = 1; k < p->n_workers; k++)
            if (workers[k].load < least->load)
                least = &workers[k];
        vec_push(&least->jobs, a, jobs[i]);
        least->load += jobs[i].size + 2000;
    }
    for (unsigned k = 0; ok && k < p->n_workers; k++) {
        workers[k].project = p;
        ok = start_worker(&workers[k], loop, e);
    }
    ok = ok && loop_run(loop, e);
    for (unsigned k = 0; k < p->n_workers; k++) {
        if (ok)
            take_answers(&workers[k], a, reports);
        stream_close(workers[k].stream);
        process_close(workers[k].process);
        strbuf_done(&workers[k].out);
    }
    loop_close(loop);
    return ok;
}

static void run_here(const struct project *p, const struct job *jobs, size_t n, struct arena *a,
                     struct file_report *reports)
{
    struct linter *l = linter_new(p->rules, &p->options);
    for (size_t i = 0; i < n; i++)
        lint_one(l, p, jobs[i].file, a, &reports[jobs[i].at]);
    linter_free(l);
}

/* The content's hash; false when the file cannot be read, which the worker will tell. */
static bool hash_file(const char *path, uint64_t max, struct hash *out, uint64_t *size)
{
    struct arena a;
    struct err e = {0};
    struct str bytes;
    arena_init(&a);
    bool ok = file_map(path, max ? max : 1 << 20, &a, &bytes, &e);
    if (ok) {
        *out = hash_of(bytes.at, bytes.n);
        *size = bytes.n;
    }
    arena_done(&a);
    return ok;
}

bool project_run(const struct project *p, const struct discovered_file *files, size_t n,
                 struct arena *a, struct file_report **out, struct err *e)
{
    struct file_report *reports = arena_new_array(a, struct file_report, n);
    struct job *jobs = arena_new_array(a, struct job, n);
    struct cache *cache = p->cache_dir ? cache_open(p->cache_dir, p->rules, p->identity, a) : NULL;
    size_t n_jobs = 0;
    for (size_t i = 0; i < n; i++) {
        struct job job = {.file = &files[i], .at = (uint32_t)i};
        bool hashed =
            cache && hash_file(files[i].path, p->options.max_file_size, &job.content, &job.size);
        if (!cache)
            job.size = file_stat(files[i].path).size;
        if (hashed && cache_get(cache, str_of(files[i].path), &job.content, a, &reports[i]))
            continue;
        jobs[n_jobs++] = job;
    }
    if (p->n_workers > 1 && n_jobs >= FEW_FILES) {
        if (!run_parallel(p, jobs, n_jobs, a, reports, e))
            return false;
    } else {
        run_here(p, jobs, n_jobs, a, reports);
    }
    for (size_t i = 0; cache && i < n_jobs; i++)
        if (!reports[jobs[i].at].has_failed)
            cache_put(cache, &jobs[i].content, &reports[jobs[i].at]);
    *out = reports;
    return !cache || cache_save(cache, e);
}
