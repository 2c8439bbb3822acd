/* assay lsp: the language server on standard input and output. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/lint_folders.h"
#include "cli/version.h"
#include "lint/lsp.h"
#include "os/loop.h"
#include "os/process.h"

enum { MESSAGE_MAX = 256 << 20, HEADER_MAX = 4096, READ_CHUNK = 1 << 16 };

/* The settings of each folder, as lint finds them, kept until a file changes; and the settings of
 * the flags alone. */
struct server {
    struct settings own; /* as given, with the arena below */
    struct arena arena;
    struct lint_folders folders;
    struct lint_setup fallback;
};

static void forget(void *ctx)
{
    struct server *server = ctx;
    lint_folders_done(&server->folders);
    arena_reset(&server->arena);
    lint_folders_init(&server->folders, &server->own);
}

static bool load(void *ctx, const char *folder, struct project *out, struct err *e)
{
    struct server *server = ctx;
    const struct lint_setup *setup = &server->fallback;
    size_t number;
    if (folder && !lint_folders_at(&server->folders, folder, &number, e))
        return false;
    if (folder)
        setup = server->folders.setups.at[number];
    *out = (struct project){.rules = setup->rules,
                            .options = setup->options,
                            .cache_dir = setup->cache_dir,
                            .identity = setup->identity,
                            .finds_callers = setup->finds_callers};
    return true;
}

static bool is_excluded(void *ctx, const char *path)
{
    struct server *server = ctx;
    struct discover_options o = {.excludes_in = lint_folders_excludes, .ctx = &server->folders};
    bool is_left_out = false;
    size_t number;
    struct err e = {0};
    return discover_is_excluded(path, &o, &server->arena, &is_left_out, &number, &e) && is_left_out;
}

/* The path of the rule's page below the user's cache folder; written at the first use. */
static const char *page(void *ctx, const struct rule *rule, struct arena *a)
{
    const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
    struct err e = {0};
    (void)ctx;
    if (!cache && !home)
        return NULL;
    const char *dir =
        cache ? path_join(a, cache, "assay/rules") : path_join(a, home, ".cache/assay/rules");
    const char *path =
        path_join(a, dir, arena_printf(a, STR_FMT "-%s.md", STR_ARG(rule->code), ASSAY_VERSION));
    if (file_stat(path).kind != FILE_REGULAR) {
        struct strbuf text = {0};
        rule_page(rule, &text);
        bool ok = file_make_dirs(dir, &e) && file_write(path, text.at, text.n, &e);
        strbuf_done(&text);
        if (!ok)
            return NULL;
    }
    return arena_printf(a, "file://%s", path);
}

/* What was read from standard input and not handled yet. */
struct input {
    struct strbuf bytes;
    size_t used;
    bool is_over;
};

/* The message after its header, by the length there. False: it has not arrived completely. */
static bool find_message(const struct input *in, struct str *message)
{
    struct str rest = str_sub(strbuf_str(&in->bytes), in->used, in->bytes.n);
    uint64_t length = 0, n;
    bool has_length = false;
    for (size_t at = 0, end; at < rest.n; at = end + 1) {
        end = at + str_find_byte(str_sub(rest, at, rest.n), '\n');
        if (end >= rest.n)
            return false;
        struct str line = str_trim(str_sub(rest, at, end));
        if (!line.n && has_length) {
            *message = str_sub(rest, end + 1, rest.n);
            bool is_whole = message->n >= length;
            message->n = MIN(message->n, (size_t)length);
            return is_whole;
        }
        if (str_starts(line, STR("Content-Length:")) &&
            str_to_u64(str_trim(str_sub(line, 15, line.n)), &n) && n <= MESSAGE_MAX) {
            length = n;
            has_length = true;
        }
    }
    return false;
}

/* One read; false: the end of input, or one line of a header is too long. */
static bool read_more(struct input *in)
{
    char chunk[READ_CHUNK];
    ssize_t got;
    if (in->used) {
        struct strbuf rest = {0};
        strbuf_addstr(&rest, str_sub(strbuf_str(&in->bytes), in->used, in->bytes.n));
        strbuf_done(&in->bytes);
        in->bytes = rest;
        in->used = 0;
    }
    do
        got = read(STDIN_FILENO, chunk, sizeof chunk);
    while (got < 0 && errno == EINTR);
    in->is_over = got <= 0 || in->bytes.n > (size_t)MESSAGE_MAX + HEADER_MAX;
    if (!in->is_over)
        strbuf_add(&in->bytes, chunk, (size_t)got);
    return !in->is_over;
}

/* Is there another whole message? Reads what can be read without waiting. */
static bool has_more(struct input *in)
{
    struct str message;
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    while (!find_message(in, &message))
        if (in->is_over || poll(&ready, 1, 0) <= 0 || !read_more(in))
            return false;
    return true;
}

/* ---- callers, read in a child while nobody waits ---- */

enum { REST_MS = 300, CHILD_POLL_MS = 5 };

struct reader {
    struct lsp *lsp;
    struct loop *loop; /* of the child; NULL: none runs */
    struct process *process;
    bool has_ended;
};

static int read_in_child(void *ctx)
{
    const struct reader *r = ctx;
    lsp_read_callers(r->lsp);
    return 0;
}

static void on_child_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct reader *r = ctx;
    (void)p;
    (void)end; /* one that failed has put less into the cache */
    r->has_ended = true;
}

static void close_reader(struct reader *r)
{
    process_close(r->process);
    loop_close(r->loop);
    r->process = NULL;
    r->loop = NULL;
}

static void start_reader(struct reader *r)
{
    static const char *const argv[] = {"assay", "lsp", NULL};
    struct process_spec spec = {
        .argv = argv, .entry = read_in_child, .entry_ctx = r, .err = PROCESS_INHERIT};
    struct err e = {0};
    r->has_ended = false;
    if (!loop_open(&r->loop, &e) || !process_open(r->loop, &spec, on_child_end, r, &r->process, &e))
        r->has_ended = true; /* then this process reads them */
}

static void put_out(struct strbuf *out)
{
    out_put(strbuf_str(out));
    fflush(stdout);
    strbuf_clear(out);
}

/* Waits for input, and uses the time. */
static void wait_for_input(struct reader *r, struct strbuf *out)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    struct err e = {0};
    for (bool rested = false;;) {
        bool is_busy = r->loop || r->has_ended;
        if (!is_busy && lsp_wants_callers(r->lsp, rested)) {
            start_reader(r);
            continue;
        }
        int n = poll(&ready, 1, is_busy ? CHILD_POLL_MS : rested ? -1 : REST_MS);
        if (n > 0 || (n < 0 && errno != EINTR))
            return;
        rested = !is_busy && n == 0;
        if (r->process && !r->has_ended && !loop_turn(r->loop, 0, &e))
            r->has_ended = true;
        if (!r->has_ended)
            continue;
        close_reader(r);
        r->has_ended = false;
        lsp_take_callers(r->lsp, out);
        put_out(out);
    }
}

static void serve(struct lsp *lsp)
{
    struct strbuf out = {0};
    struct input in = {0};
    struct str message;
    struct reader reader = {.lsp = lsp};
    for (bool goes_on = true; goes_on;) {
        while (!find_message(&in, &message)) {
            if (!in.is_over)
                wait_for_input(&reader, &out);
            if (in.is_over || !read_more(&in)) {
                goes_on = false;
                break;
            }
        }
        if (!goes_on)
            break;
        char *bytes = mem_alloc(message.n + 1); /* reading on moves the buffer */
        memcpy(bytes, message.at, message.n);
        in.used = (size_t)(message.at + message.n - in.bytes.at);
        lsp_expect(lsp, has_more(&in));
        goes_on = lsp_handle(lsp, (struct str){bytes, message.n}, &out);
        free(bytes);
        put_out(&out);
    }
    close_reader(&reader);
    strbuf_done(&in.bytes);
    strbuf_done(&out);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct server server = {.own = *s};
    struct lsp_hooks hooks = {&server, load, is_excluded, forget, page, ASSAY_VERSION};
    if (!lint_setup_load(s, 0, &server.fallback, e))
        return false;
    arena_init(&server.arena);
    server.own.arena = &server.arena;
    lint_folders_init(&server.folders, &server.own);
    struct lsp *lsp = lsp_new(&hooks);
    serve(lsp);
    *exit_code = lsp_exit_code(lsp) ? EXIT_FOUND : EXIT_DONE;
    lsp_free(lsp);
    lint_folders_done(&server.folders);
    rule_set_free(server.fallback.rules);
    arena_done(&server.arena);
    return true;
}

const struct command command_lsp = {
    .name = "lsp",
    .arguments = "",
    .summary = "language server for lint, on standard input and output",
    .details =
        "Speaks the Language Server Protocol 3.17. docs/lint/editors.md shows how to set up\n"
        "Neovim, Helix and VS Code.",
    .fails_with_two = true,
    .run = run,
};
