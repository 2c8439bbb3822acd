/*
 * assay: finds the command, loads its settings, runs it, turns an error into one line and an exit
 * code. Nothing else decides how the program ends.
 */
#include <stdio.h>

#include "base/file.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/version.h"
#include "os/inside.h"

static int fail(const char *command, const struct err *e)
{
    struct strbuf text = {0};
    struct str rest = str_of(e->text), line;
    out_flush();
    while (str_split(&rest, '\n',
                     &line)) { /* newlines of a message are kept, those in names are escaped */
        strbuf_adds(&text, text.n ? "\n    " : "");
        strbuf_add_line(&text, line);
    }
    fprintf(stderr, "assay%s%s: %s\n", command ? " " : "", command ? command : "", text.at);
    strbuf_done(&text);
    return err_exit_code(e->code);
}

/* With --json a failure is printed as JSON too. */
static void fail_json(const struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    error_to_json(e, &w);
    json_end_object(&w);
    out_json(&text);
}

static void print_help(const struct command *c)
{
    struct strbuf text = {0};
    help_print(c, &text);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static int unknown_command(const char *name)
{
    size_t n;
    const struct command *const *list = command_list(&n);
    const char *names[64];
    size_t n_names = 0;
    struct err e;
    for (size_t i = 0; i < n && n_names < COUNT_OF(names); i++)
        if (!list[i]->hidden)
            names[n_names++] = list[i]->name;
    const char *near = str_nearest(str_of(name), names, n_names);
    err_set(&e, ERR_USAGE, "unknown command \"%s\"%s%s%s; see assay --help", name,
            near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return fail(NULL, &e);
}

static int fail_command(const struct command *c, const struct err *e)
{
    int exit_code = fail(c->name, e);
    return c->fails_with_two ? EXIT_INCONCLUSIVE : exit_code;
}

static int run_command(const struct command *c, int argc, char **argv, struct arena *a)
{
    struct settings s;
    struct err e = {0};
    const char *dir;
    int exit_code = EXIT_DONE;
    if (!file_current_dir(a, &dir, &e) || !settings_load(&s, c->name, argc, argv, dir, a, &e))
        return fail_command(c, &e);
    if (settings_flag(&s, SETTING_help)) {
        print_help(c);
        return EXIT_DONE;
    }
    log_set_level(settings_flag(&s, SETTING_quiet)     ? LOG_ERROR
                  : settings_flag(&s, SETTING_verbose) ? LOG_DEBUG
                                                       : LOG_INFO);
    if (c->run(&s, &exit_code, &e))
        return exit_code;
    if (settings_want_json(&s) && !c->fails_with_two)
        fail_json(&e);
    return fail_command(c, &e);
}

/* The manual page of a command, from the same tables as --help: tools/check-tables keeps docs/man/
 * equal to it. */
static int print_man(const char *name)
{
    struct strbuf text = {0};
    const struct command *c = command_find(name);
    if (!c)
        return unknown_command(name);
    help_print_man(c, &text);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
    return EXIT_DONE;
}

static bool is_one_of(const char *name, const char *a, const char *b)
{
    return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

/* The words that are not commands: help, version, a manual page. */
static bool is_about_assay(int argc, char **argv, int *exit_code)
{
    const char *name = argc > 1 ? argv[1] : "--help", *about = argc > 2 ? argv[2] : NULL;
    *exit_code = argc > 1 ? EXIT_DONE : EXIT_USAGE;
    if (is_one_of(name, "--help", "-h") || strcmp(name, "help") == 0)
        print_help(about ? command_find(about) : NULL);
    else if (is_one_of(name, "--version", "-V"))
        out_putf("assay %s\n", ASSAY_VERSION);
    else if (strcmp(name, "man") == 0)
        *exit_code = print_man(about ? about : "");
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    int exit_code;
    if (inside_main(argc, argv, &exit_code))
        return exit_code;
    if (!is_about_assay(argc, argv, &exit_code)) {
        const struct command *c = command_find(argv[1]);
        struct arena a;
        if (!c)
            return unknown_command(argv[1]);
        arena_init(&a);
        exit_code = run_command(c, argc - 2, argv + 2, &a);
        arena_done(&a);
    }
    out_flush();
    return exit_code;
}
