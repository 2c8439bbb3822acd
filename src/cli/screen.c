/* Draws hunt_statistics; decides nothing. The layout is that of the manual's picture; nothing is
 * shown by colour alone. */
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/command.h"
#include "generate/reach.h"
#include "onnx/op.h"
#include "os/terminal.h"
#include "report/report.h"

enum { LINES_EVERY_MS = 10000, TOP_MAX = 5 };

static void count_ops(struct screen *sc)
{
    size_t n;
    const struct op *ops = op_list(&n);
    for (size_t i = 0; i < n; i++) {
        sc->n_ops++;
        for (uint32_t left = op_lead_dtypes(&ops[i]); left; left &= left - 1)
            sc->n_op_dtypes++;
    }
}

static void count_cells(struct screen *sc)
{
    struct reach reach;
    reach_init(&reach);
    sc->n_cells = (uint32_t)reach_n_wanted(&reach);
    reach_done(&reach);
}

/* "postgres" of "postgres://host/base"; a path is a SQLite file. */
static const char *kind_of_store(const struct settings *s, const char *url)
{
    size_t colon = str_find(str_of(url), STR("://"));
    return colon < strlen(url) ? str_dup(s->arena, str_sub(str_of(url), 0, colon)) : "sqlite";
}

void screen_init(struct screen *sc, const struct settings *s, const struct campaign_place *place)
{
    const char *color = settings_text(s, SETTING_color);
    bool tty = terminal_is_stderr();
    *sc = (struct screen){.out = place->out, .store_kind = kind_of_store(s, place->url)};
    count_ops(sc);
    count_cells(sc);
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
    strbuf_printf(out, "assay hunt  seed %llu  %s ", (unsigned long long)st->campaign.seed,
                  st->draining ? "FINISHING" : "RUNNING");
    add_duration(out, st->elapsed_ms);
    if (st->limit_ms) {
        strbuf_adds(out, " of ");
        add_duration(out, st->limit_ms);
    }
    if (st->sandbox && st->sandbox[0]) /* known once the first pilot runs */
        strbuf_printf(out, "   sandbox %s", st->sandbox);
    strbuf_printf(out, "   store %s\n", sc->store_kind);
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

/* "generators mutate 50% corpus 50%": they take the indices in turn. */
static void draw_generators(const struct hunt_statistics *st, struct strbuf *out)
{
    struct arena a;
    struct err ignored = {0};
    const struct json *settings;
    arena_init(&a);
    if (json_parse(st->campaign.settings, "settings", &a, &settings, &ignored)) {
        const struct json *names = json_get(settings, "generators");
        strbuf_adds(out, names && names->n ? "   generators" : "");
        for (size_t i = 0; names && i < names->n; i++)
            strbuf_printf(out, " " STR_FMT " %.0f%%", STR_ARG(names->items[i].string),
                          100.0 / (double)names->n);
    }
    arena_done(&a);
}

static void draw_bugs(const struct screen *sc, const struct hunt_statistics *st, struct strbuf *out)
{
    strbuf_printf(out, "bugs  NEW %zu   known %zu   flaky %zu   ignored %zu", st->n_bugs_new,
                  st->n_bugs_known, st->n_bugs_flaky, st->n_bugs_ignored);
    if (st->n_bugs_in_doubt)
        strbuf_printf(out, "   second opinion %zu", st->n_bugs_in_doubt);
    if (st->last_new_ms) {
        strbuf_adds(out, "          last new ");
        add_duration(out, clock_wall_ms() - st->last_new_ms);
        strbuf_adds(out, " ago");
    }
    strbuf_printf(out, "\npilots %u/%u   restarts %u   workers restarted %u   queue ",
                  st->n_pilots_alive, st->n_pilots, st->n_pilot_restarts, st->n_worker_restarts);
    strbuf_add_grouped(out, st->n_queue);
    strbuf_printf(out, "   reducing %u", st->n_reducing);
    if (st->n_reducing && st->reducing_from)
        strbuf_printf(out, " (%u -> %u nodes)", st->reducing_from, st->reducing_to);
    strbuf_printf(
        out,
        "   waiting %u\ncoverage  op types %u/%u   op x dtype %u/%u   cells %u/%u   rewrites %u",
        (unsigned)st->remains.n_waiting, st->n_op_types, sc->n_ops, st->n_op_dtypes,
        sc->n_op_dtypes, st->n_cells, sc->n_cells, st->n_rewrites);
    draw_generators(st, out);
    strbuf_addc(out, '\n');
}

void screen_draw(const struct screen *sc, const struct hunt_statistics *st, struct strbuf *out)
{
    draw_head(sc, st, out);
    draw_bugs(sc, st, out);
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

unsigned screen_count_rows(struct str picture, unsigned width)
{
    unsigned n_rows = 0, column = 0;
    for (size_t i = 0; i < picture.n; i++) {
        unsigned char c = (unsigned char)picture.at[i];
        if (c == '\n') {
            n_rows += 1 + (column && width ? (column - 1) / width : 0);
            column = 0;
        } else if (c == 0x1b) { /* a colour: up to its 'm' */
            i += str_find_byte(str_sub(picture, i, picture.n), 'm');
        } else if ((c & 0xc0) != 0x80) { /* the first byte of a character */
            column++;
        }
    }
    return n_rows;
}

static void redraw(struct screen *sc, const struct hunt_statistics *st)
{
    struct strbuf picture = {0};
    if (sc->n_lines_drawn)
        fprintf(stderr, "\x1b[%uA\x1b[J", sc->n_lines_drawn);
    screen_draw(sc, st, &picture);
    fwrite(picture.at, 1, picture.n, stderr);
    fflush(stderr);
    sc->n_lines_drawn = screen_count_rows(strbuf_str(&picture), terminal_width());
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
                  (unsigned)st->remains.n_waiting);
    fwrite(line.at, 1, line.n, stderr);
    strbuf_done(&line);
}

/* Prints one JSON line and flushes it. */
static void say_json(struct strbuf *text)
{
    out_json(text);
    out_flush();
}

static void numbers_to_json(const struct screen *sc, const struct hunt_statistics *st,
                            struct json_out *w)
{
    json_pair_i64(w, "elapsed_ms", st->elapsed_ms);
    json_pair_i64(w, "cases", st->totals.n_cases);
    json_pair_double(w, "cases_per_second", st->rate_now);
    json_pair_double(w, "cases_per_second_mean", st->rate_mean);
    json_pair_i64(w, "valid", st->totals.n_valid);
    json_pair_i64(w, "illegal", st->totals.n_illegal);
    json_pair_i64(w, "unsupported", st->totals.n_unsupported);
    json_pair_i64(w, "edits", st->totals.n_edits);
    json_pair_i64(w, "no_op", st->totals.n_noop);
    json_pair_u64(w, "bugs_new", st->n_bugs_new);
    json_pair_u64(w, "bugs_known", st->n_bugs_known);
    json_pair_u64(w, "bugs_named", st->n_bugs_named);
    json_pair_u64(w, "bugs_flaky", st->n_bugs_flaky);
    json_pair_u64(w, "bugs_ignored", st->n_bugs_ignored);
    json_pair_u64(w, "bugs_in_doubt", st->n_bugs_in_doubt);
    json_pair_u64(w, "pilots", st->n_pilots);
    json_pair_u64(w, "pilots_alive", st->n_pilots_alive);
    json_pair_u64(w, "pilot_restarts", st->n_pilot_restarts);
    json_pair_u64(w, "worker_restarts", st->n_worker_restarts);
    json_pair_u64(w, "queue", st->n_queue);
    json_pair_u64(w, "reducing", st->n_reducing);
    json_pair_u64(w, "waiting", st->remains.n_waiting);
    json_pair_u64(w, "unproved", st->remains.n_unproved);
    json_pair_u64(w, "given_up", st->remains.n_given_up);
    json_pair_u64(w, "lost", st->remains.n_lost);
    json_pair_i64(w, "none", st->totals.n_none);
    json_pair_u64(w, "op_types", st->n_op_types);
    json_pair_u64(w, "op_types_known", sc->n_ops);
    json_pair_u64(w, "op_dtypes", st->n_op_dtypes);
    json_pair_u64(w, "op_dtypes_known", sc->n_op_dtypes);
    json_pair_u64(w, "cells", st->n_cells);
    json_pair_u64(w, "cells_known", sc->n_cells);
    json_pair_u64(w, "rewrites", st->n_rewrites);
    json_pair_u64(w, "models_skipped", sc->n_skipped);
}

static void say_status_json(const struct screen *sc, const struct hunt_statistics *st)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "event", "tick");
    numbers_to_json(sc, st, &w);
    json_end_object(&w);
    say_json(&text);
}

static void on_tick(void *ctx, const struct hunt_statistics *st)
{
    struct screen *sc = ctx;
    if (sc->style == SCREEN_LIVE)
        redraw(sc, st);
    else if (sc->style == SCREEN_LINES)
        say_status_line(sc, st);
    else if (sc->style == SCREEN_JSON)
        say_status_json(sc, st);
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
        json_key(&w, "reason");
        if (bug->reason.n)
            json_put_str(&w, bug->reason);
        else
            json_put_null(&w);
        json_pair_cstr(&w, "folder", folder);
        json_end_object(&w);
        say_json(&line);
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

void screen_say_skipped(struct screen *sc, const char *model, const struct err *why)
{
    struct strbuf line = {0};
    sc->n_skipped++;
    if (sc->style == SCREEN_JSON) {
        struct json_out w = json_open(&line, JSON_COMPACT);
        json_begin_object(&w);
        json_pair_cstr(&w, "event", "skipped");
        json_pair_cstr(&w, "model", model);
        error_to_json(why, &w);
        json_end_object(&w);
        say_json(&line);
    } else if (sc->style != SCREEN_SILENT) {
        strbuf_add_line(&line, str_of(model));
        strbuf_adds(&line, " is left out: ");
        strbuf_add_line(&line, str_of(why->text));
        fprintf(stderr, "%s\n", line.at);
    }
    strbuf_done(&line);
}

/* Why a hunt ended: a signal, its cases, or its time. */
static const char *reason_of(const struct hunt_end *end)
{
    const struct hunt_statistics *st = &end->statistics;
    if (end->interrupted)
        return "interrupted";
    return st->limit_cases && (uint64_t)st->totals.n_cases >= st->limit_cases ? "cases" : "seconds";
}

static void close_json(const struct screen *sc, const struct hunt_end *end, int exit_code)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "event", "end");
    json_pair_cstr(&w, "reason", reason_of(end));
    numbers_to_json(sc, &end->statistics, &w);
    json_pair_u64(&w, "bugs", end->bugs.n - end->statistics.n_bugs_in_doubt);
    json_pair_i64(&w, "exit_code", exit_code);
    json_pair_cstr(&w, "folder", sc->out);
    json_end_object(&w);
    say_json(&text);
}

void screen_close(struct screen *sc, const struct hunt_end *end, int exit_code)
{
    const char *reason = reason_of(end);
    int64_t n_cases = end->statistics.totals.n_cases;
    size_t n_bugs = end->bugs.n - end->statistics.n_bugs_in_doubt;
    if (sc->style == SCREEN_JSON)
        close_json(sc, end, exit_code);
    if (sc->style == SCREEN_SILENT || sc->style == SCREEN_JSON)
        return;
    struct strbuf remains = {0};
    hunt_remains_print(&end->statistics.remains, &remains);
    strbuf_adds(&remains, "");
    fprintf(
        stderr,
        "%s: %lld case%s, %zu bug%s here%s. assay bugs --out %s lists them; assay report ID --out "
        "%s writes a report.\n",
        end->interrupted ? "stopped, all is saved" : "done", (long long)n_cases,
        n_cases == 1 ? "" : "s", n_bugs, n_bugs == 1 ? "" : "s", remains.at, sc->out, sc->out);
    strbuf_done(&remains);
    if (end->statistics.n_bugs_named)
        fprintf(stderr, "%zu of them %s named in the file of known defects and fail%s no run.\n",
                end->statistics.n_bugs_named, end->statistics.n_bugs_named == 1 ? "is" : "are",
                end->statistics.n_bugs_named == 1 ? "s" : "");
    if (end->statistics.n_bugs_in_doubt)
        fprintf(stderr, "%zu more need a second opinion.\n", end->statistics.n_bugs_in_doubt);
    if (sc->n_skipped)
        fprintf(stderr, "%u seed model%s left out as not supported.\n", sc->n_skipped,
                sc->n_skipped == 1 ? "" : "s");
    if (strcmp(reason, "cases") != 0)
        fprintf(stderr, "assay hunt --resume --out %s goes on.\n", sc->out);
}
