/* Draws hunt_statistics; decides nothing. The layout is that of the manual's picture; colour is
 * never the only signal. */
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/command.h"
#include "os/terminal.h"
#include "report/report.h"

enum { LINES_EVERY_MS = 10000, TOP_MAX = 5 };

void screen_init(struct screen *sc, const struct settings *s)
{
    const char *color = settings_text(s, SETTING_color);
    bool tty = terminal_is_stderr();
    *sc = (struct screen){.seed = (uint64_t)settings_int(s, SETTING_seed)};
    sc->style = settings_want_json(s)                       ? SCREEN_JSON
                : settings_flag(s, SETTING_quiet)           ? SCREEN_SILENT
                : tty && !settings_flag(s, SETTING_verbose) ? SCREEN_LIVE
                                                            : SCREEN_LINES;
    sc->color =
        strcmp(color, "always") == 0 || (strcmp(color, "auto") == 0 && tty && !getenv("NO_COLOR"));
}

static void add_duration(struct strbuf *out, int64_t ms)
{
    clock_format_duration(ms * 1000000, out);
}

static void add_share(struct strbuf *out, const char *name, int64_t part, int64_t whole)
{
    strbuf_printf(out, "  %s %.1f%%", name, whole ? 100.0 * (double)part / (double)whole : 0.0);
}

static void draw_head(const struct screen *sc, const struct hunt_statistics *st, struct strbuf *out)
{
    strbuf_printf(out, "assay hunt  seed %llu  %s ", (unsigned long long)sc->seed,
                  st->draining ? "FINISHING" : "RUNNING");
    add_duration(out, st->elapsed_ms);
    if (st->limit_ms) {
        strbuf_adds(out, " of ");
        add_duration(out, st->limit_ms);
    }
    strbuf_printf(out, "   sandbox %s\n", st->sandbox ? st->sandbox : "?");
    strbuf_adds(out, "cases ");
    strbuf_add_grouped(out, (uint64_t)st->totals.n_cases);
    if (st->limit_cases) {
        strbuf_adds(out, " of ");
        strbuf_add_grouped(out, st->limit_cases);
    }
    strbuf_printf(out, " (%.1f/s now, %.1f mean)", st->rate_now, st->rate_mean);
    add_share(out, "valid", st->totals.n_valid, st->totals.n_cases);
    add_share(out, "illegal", st->totals.n_illegal, st->totals.n_cases);
    add_share(out, "no-op", st->totals.n_noop, st->totals.n_edits);
    strbuf_addc(out, '\n');
}

static void draw_bugs(const struct hunt_statistics *st, struct strbuf *out)
{
    strbuf_printf(out, "bugs  NEW %zu   known %zu   flaky %zu   ignored %zu", st->n_bugs_new,
                  st->n_bugs_known, st->n_bugs_flaky, st->n_bugs_ignored);
    if (st->last_new_ms) {
        strbuf_adds(out, "          last new ");
        add_duration(out, clock_wall_ms() - st->last_new_ms);
        strbuf_adds(out, " ago");
    }
    strbuf_printf(out, "\npilots %u/%u   restarts %u   workers restarted %u   queue ",
                  st->n_pilots_alive, st->n_pilots, st->n_pilot_restarts, st->n_worker_restarts);
    strbuf_add_grouped(out, st->n_queue);
    strbuf_printf(out, "   reducing %u", st->n_reducing);
    if (st->n_reducing)
        strbuf_printf(out, " (%u -> %u nodes)", st->reducing_from, st->reducing_to);
    strbuf_printf(out, "   waiting %u\ncoverage  op types %u   rewrites %u\n", st->n_waiting,
                  st->n_op_types, st->n_rewrites);
}

void screen_draw(const struct screen *sc, const struct hunt_statistics *st, struct strbuf *out)
{
    draw_head(sc, st, out);
    draw_bugs(st, out);
    for (size_t i = 0; i < st->n_top && i < TOP_MAX; i++) {
        strbuf_adds(out, i == 0 ? "top  " : "     ");
        if (sc->color)
            strbuf_adds(out, "\x1b[1m");
        report_bug_line(&st->top[i], out);
        if (sc->color)
            strbuf_adds(out, "\x1b[0m");
        if (out->at[out->n - 1] != '\n')
            strbuf_addc(out, '\n');
    }
}

static unsigned count_lines(struct str text)
{
    unsigned n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.at[i] == '\n';
    return n;
}

static void redraw(struct screen *sc, const struct hunt_statistics *st)
{
    struct strbuf picture = {0};
    if (sc->n_lines_drawn)
        fprintf(stderr, "\x1b[%uA\x1b[J", sc->n_lines_drawn);
    screen_draw(sc, st, &picture);
    fwrite(picture.at, 1, picture.n, stderr);
    fflush(stderr);
    sc->n_lines_drawn = count_lines(strbuf_str(&picture));
    strbuf_done(&picture);
}

static void say_status_line(struct screen *sc, const struct hunt_statistics *st)
{
    int64_t now = clock_wall_ms();
    struct strbuf line = {0};
    if (now - sc->last_line_ms < LINES_EVERY_MS)
        return;
    sc->last_line_ms = now;
    add_duration(&line, st->elapsed_ms);
    strbuf_adds(&line, "  cases ");
    strbuf_add_grouped(&line, (uint64_t)st->totals.n_cases);
    strbuf_printf(&line, " (%.1f/s)  bugs new %zu known %zu flaky %zu  reducing %u waiting %u\n",
                  st->rate_now, st->n_bugs_new, st->n_bugs_known, st->n_bugs_flaky, st->n_reducing,
                  st->n_waiting);
    fwrite(line.at, 1, line.n, stderr);
    strbuf_done(&line);
}

static void say_status_json(const struct hunt_statistics *st)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "event", "tick");
    json_pair_i64(&w, "elapsed_ms", st->elapsed_ms);
    json_pair_i64(&w, "cases", st->totals.n_cases);
    json_pair_double(&w, "cases_per_second", st->rate_now);
    json_pair_u64(&w, "bugs_new", st->n_bugs_new);
    json_pair_u64(&w, "bugs_known", st->n_bugs_known);
    json_pair_u64(&w, "bugs_flaky", st->n_bugs_flaky);
    json_pair_u64(&w, "reducing", st->n_reducing);
    json_pair_u64(&w, "waiting", st->n_waiting);
    json_pair_u64(&w, "op_types", st->n_op_types);
    json_pair_u64(&w, "rewrites", st->n_rewrites);
    json_end_object(&w);
    strbuf_addc(&text, '\n');
    out_put(strbuf_str(&text));
    fflush(stdout);
    strbuf_done(&text);
}

static void on_tick(void *ctx, const struct hunt_statistics *st)
{
    struct screen *sc = ctx;
    if (sc->style == SCREEN_LIVE)
        redraw(sc, st);
    else if (sc->style == SCREEN_LINES)
        say_status_line(sc, st);
    else if (sc->style == SCREEN_JSON)
        say_status_json(st);
}

static void on_bug(void *ctx, const struct store_bug *bug, const char *folder, bool is_new)
{
    struct screen *sc = ctx;
    struct strbuf line = {0};
    if (sc->style == SCREEN_JSON) {
        struct json_out w = json_open(&line, JSON_COMPACT);
        json_begin_object(&w);
        json_pair_cstr(&w, "event", "bug");
        json_pair_bool(&w, "new", is_new);
        json_pair_str(&w, "id", bug->id);
        json_pair_str(&w, "title", bug->title);
        json_pair_str(&w, "state", bug->state);
        json_pair_str(&w, "severity", bug->severity);
        json_pair_cstr(&w, "folder", folder);
        json_end_object(&w);
        strbuf_addc(&line, '\n');
        out_put(strbuf_str(&line));
        fflush(stdout);
    } else if (sc->style == SCREEN_LINES) {
        strbuf_adds(&line, is_new ? "NEW " : "    ");
        report_bug_line(bug, &line);
        if (line.at[line.n - 1] != '\n')
            strbuf_addc(&line, '\n');
        fwrite(line.at, 1, line.n, stderr);
    }
    strbuf_done(&line);
}

struct hunt_listener screen_listener(struct screen *sc)
{
    return (struct hunt_listener){.on_bug = on_bug, .on_tick = on_tick, .ctx = sc};
}

void screen_close(struct screen *sc, const struct hunt_end *end, const char *out_dir)
{
    if (sc->style == SCREEN_SILENT || sc->style == SCREEN_JSON)
        return;
    fprintf(stderr,
            "%s: %lld cases, %zu bugs here. assay bugs --out %s lists them; assay report ID --out "
            "%s writes a report.\n",
            end->interrupted ? "stopped, all is saved" : "done",
            (long long)end->statistics.totals.n_cases, end->bugs.n, out_dir, out_dir);
    if (end->interrupted)
        fprintf(stderr, "assay hunt --resume --out %s goes on.\n", out_dir);
}
