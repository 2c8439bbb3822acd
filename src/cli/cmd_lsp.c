/* assay lsp: the language server on standard input and output. */
#include <stdio.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/lint_folders.h"
#include "cli/version.h"
#include "lint/lsp.h"

enum { MESSAGE_MAX = 256 << 20, HEADER_MAX = 4096 };

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

static bool load(void *ctx, const char *folder, struct rule_set **rules,
                 struct lint_options *options, struct err *e)
{
    struct server *server = ctx;
    const struct lint_setup *setup = &server->fallback;
    size_t number;
    if (folder && !lint_folders_at(&server->folders, folder, &number, e))
        return false;
    if (folder)
        setup = server->folders.setups.at[number];
    *rules = setup->rules;
    *options = setup->options;
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

/* The rule's page below the user's cache folder, written when first asked for. */
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

/* Reads the header up to its empty line. Returns the length of the message, or -1 at the end of
 * input. */
static long read_header(void)
{
    char line[HEADER_MAX];
    long length = -1;
    while (fgets(line, sizeof line, stdin)) {
        uint64_t n;
        struct str text = str_trim(str_of(line));
        if (!text.n && length >= 0)
            return length;
        if (str_starts(text, STR("Content-Length:")) &&
            str_to_u64(str_trim(str_sub(text, 15, text.n)), &n) && n <= MESSAGE_MAX)
            length = (long)n;
    }
    return -1;
}

static bool serve(struct lsp *lsp)
{
    struct strbuf out = {0};
    bool goes_on = true;
    for (long n; goes_on && (n = read_header()) >= 0;) {
        char *bytes = mem_alloc((size_t)n + 1);
        size_t got = fread(bytes, 1, (size_t)n, stdin);
        if (got == (size_t)n) {
            goes_on = lsp_handle(lsp, (struct str){bytes, got}, &out);
            out_put(strbuf_str(&out));
            fflush(stdout);
            strbuf_clear(&out);
        } else {
            goes_on = false;
        }
        free(bytes);
    }
    strbuf_done(&out);
    return true;
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
