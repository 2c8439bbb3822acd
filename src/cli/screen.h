/*
 * The hunt's screen: one redraw a second on a terminal, plain lines otherwise, JSON lines with
 * --json.
 *
 *     struct screen sc;
 *     screen_init(&sc, screen_style(s), seed);
 *     struct hunt_listener l = screen_listener(&sc);
 */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "cli/settings.h"
#include "hunt/hunt.h"

enum screen_style { SCREEN_LIVE, SCREEN_LINES, SCREEN_JSON, SCREEN_SILENT };

struct screen {
    enum screen_style style;
    bool color;
    uint64_t seed;
    unsigned n_lines_drawn; /* of the picture that stands on the terminal */
    int64_t last_line_ms;   /* SCREEN_LINES: when the last status line was said */
};

void screen_init(struct screen *sc, const struct settings *s);
struct hunt_listener screen_listener(struct screen *sc);

/* Leaves the last picture standing and says where to look. */
void screen_close(struct screen *sc, const struct hunt_end *end, const char *out_dir);

/* The picture itself, for tests: lines of text, no cursor movement. */
void screen_draw(const struct screen *sc, const struct hunt_statistics *st, struct strbuf *out);

#endif
