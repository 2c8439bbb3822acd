/* Decides what hunt.log holds and when it is rotated. Must not know who logs. */
#include "hunt/campaign/log_file_p.h"

#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"

static void append(struct log_file *f, const char *line)
{
    struct strbuf text = {0};
    struct err ignored = {0};
    clock_format_iso(clock_wall_ms(), &text);
    strbuf_printf(&text, " %s\n", line);
    if (f->n_bytes + text.n > f->most && file_rename(f->path, f->old, &ignored))
        f->n_bytes = 0;
    if (f->n_bytes + text.n <= f->most && file_append(f->path, text.at, text.n, &ignored))
        f->n_bytes += text.n;
    strbuf_done(&text);
}

static void say_repeats(struct log_file *f)
{
    struct strbuf text = {0};
    if (f->n_repeats) {
        strbuf_printf(&text, "the line above came %llu more time%s",
                      (unsigned long long)f->n_repeats, f->n_repeats == 1 ? "" : "s");
        append(f, text.at);
    }
    f->n_repeats = 0;
    strbuf_done(&text);
}

/* Control characters are written as escapes, so that a line stays a line. */
static void on_line(void *ctx, enum log_level level, const char *line)
{
    struct log_file *f = ctx;
    struct strbuf text = {0};
    if (level >= LOG_WARN)
        strbuf_adds(&text, log_level_prefix(level));
    strbuf_add_line(&text, str_of(line));
    if (strncmp(text.at, f->last, sizeof f->last - 1) == 0) {
        f->n_repeats++;
    } else {
        say_repeats(f);
        snprintf(f->last, sizeof f->last, "%s", text.at);
        append(f, text.at);
    }
    strbuf_done(&text);
}

void log_file__open(struct log_file *f, const char *out, struct arena *a)
{
    *f = (struct log_file){.path = path_join(a, out, "hunt.log"),
                           .old = path_join(a, out, "hunt.log.1"),
                           .most = LOG_FILE_MAX};
    f->n_bytes = file_stat(f->path).size;
    log_set_copy(on_line, f);
}

void log_file__close(struct log_file *f)
{
    if (!f->path)
        return;
    log_set_copy(NULL, NULL);
    say_repeats(f);
    f->path = NULL;
}
