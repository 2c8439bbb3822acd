/*
 * The hunt's screen: one redraw per second on a terminal, plain lines elsewhere, JSON lines with
 * --json.
 *
 *     struct screen sc;
 *     screen_init(&sc, s, &place);
 *     struct hunt_listener l = screen_listener(&sc);
 *     hunt_run(..., &l, ...);
 *     screen_close(&sc, &end, exit_code);
 */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "cli/campaign.h"
#include "cli/settings.h"
#include "hunt/hunt.h"

enum screen_style { SCREEN_LIVE, SCREEN_LINES, SCREEN_JSON, SCREEN_SILENT };

struct screen {
    enum screen_style style;
    bool color;
    const char *out;        /* folder of the campaign */
    const char *store_kind; /* "sqlite" */
    /* Operators that the reference has, and each dtype of their first input: what can be covered */
    uint32_t n_ops, n_op_dtypes;
    uint32_t n_cells;       /* of the operator table that generators should meet */
    uint32_t n_skipped;     /* seed models left out */
    unsigned n_lines_drawn; /* of the picture now on the terminal */
    int64_t last_line_ms;   /* SCREEN_LINES: time of the last status line */
};

void screen_init(struct screen *sc, const struct settings *s, const struct campaign_place *place);
struct hunt_listener screen_listener(struct screen *sc);

/* Reports a seed model that uses what the reference lacks. */
void screen_say_skipped(struct screen *sc, const char *model, const struct err *why);

/* Leaves the last picture on the terminal and says where the results are and how to go on. */
void screen_close(struct screen *sc, const struct hunt_end *end, int exit_code);

/* The picture itself, for tests: lines of text, no cursor movement. */
void screen_draw(const struct screen *sc, const struct hunt_statistics *st, struct strbuf *out);

/* Rows that the picture takes on a terminal of `width` columns, where longer lines wrap. */
unsigned screen_count_rows(struct str picture, unsigned width);

#endif
