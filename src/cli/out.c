/* The one place that writes results to stdout; a closed pipe ends the program quietly, a full disk
 * with a message. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "cli/command.h"
#include "os/terminal.h"

static void give_up(int why)
{
    if (why != EPIPE)
        fprintf(stderr, "assay: results cannot be written to standard output: %s\n", strerror(why));
    _Exit(EXIT_ENVIRONMENT);
}

void out_put(struct str text)
{
    if (text.n && fwrite(text.at, 1, text.n, stdout) != text.n)
        give_up(errno);
}

void out_putf(const char *fmt, ...)
{
    struct strbuf text = {0};
    va_list args;
    va_start(args, fmt);
    strbuf_vprintf(&text, fmt, args);
    va_end(args);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

void out_flush(void)
{
    if (fflush(stdout) != 0)
        give_up(errno);
}

void out_line(struct str line)
{
    struct strbuf text = {0};
    strbuf_add_line(&text, line);
    strbuf_addc(&text, '\n');
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

void out_status(const struct settings *s, const char *fmt, ...)
{
    struct strbuf text = {0};
    va_list args;
    if (!terminal_is_stderr() || settings_flag(s, SETTING_quiet) ||
        settings_flag(s, SETTING_verbose) || settings_want_json(s))
        return;
    va_start(args, fmt);
    strbuf_vprintf(&text, fmt, args);
    va_end(args);
    fprintf(stderr, "\r%.*s\033[K", (int)MIN(text.n, (size_t)terminal_width() - 1),
            text.n ? text.at : "");
    fflush(stderr);
    strbuf_done(&text);
}

void out_json(struct strbuf *text)
{
    strbuf_addc(text, '\n');
    out_put(strbuf_str(text));
    strbuf_done(text);
}

void error_to_json(const struct err *e, struct json_out *w)
{
    json_pair_cstr(w, "error", e->text);
    json_pair_cstr(w, "kind", err_code_name(e->code));
    json_pair_i64(w, "exit_code", err_exit_code(e->code));
}

int exit_code_of_signal(int signo)
{
    return signo == SIGINT ? EXIT_INTERRUPTED : EXIT_TERMINATED;
}
