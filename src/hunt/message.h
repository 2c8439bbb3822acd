/*
 * Messages between coordinator and pilots: frames (os/frame.h) whose bodies are JSON objects.
 *
 *     struct json_out w = message_begin(&text);
 *     json_pair_i64(&w, "from", 512);
 *     message_send(stream, MESSAGE_RANGE, &w);
 *
 *     struct pilot_message m;
 *     size_t used = message_take(bytes, &m, &bad);      // 0: more bytes are needed
 */
#ifndef HUNT_MESSAGE_H
#define HUNT_MESSAGE_H

#include "base/json.h"
#include "os/frame.h"
#include "os/stream.h"
#include "store/store.h"

enum message_kind {
#define MESSAGE(id, number, sender, meaning) MESSAGE_##id = number,
#include "hunt/messages.def"
#undef MESSAGE
    MESSAGE_END
};

struct pilot_message {
    enum message_kind kind;
    struct str body;
};

/* Of each failing key a pilot keeps this many cases, those of the lowest indices: from the first
 * ones of the campaign the coordinator chooses which are reduced. */
enum { HUNT_CANDIDATES = 16 };

/* Case indices handed out together. */
struct range {
    uint64_t from, to; /* to: exclusive */
    bool careful;      /* a pilot died on it */
};

const char *message_name(enum message_kind kind);

/* Returns the bytes used. 0: the message is not complete, or *bad is set: it is too long or of an
 * unknown kind. */
size_t message_take(struct str bytes, struct pilot_message *out, bool *bad);

/* Clears text, leaves room for the header, and opens the JSON object. */
struct json_out message_begin(struct strbuf *text);
/* Closes the object: text is the whole message. ERR_LIMIT: longer than a frame may be. */
bool message_end(enum message_kind kind, struct json_out *w, struct err *e);
/* Ends the message and sends it. */
bool message_send(struct stream *s, enum message_kind kind, struct json_out *w, struct err *e);

/* Write and read a row as {"table": NAME, "row": {...}}. */
void message_put_row(struct json_out *w, const struct store_change *change);
bool message_get_row(const struct json *j, struct arena *a, struct store_change *out,
                     struct err *e);
/* The array under "rows". */
struct message_rows {
    struct store_change *at;
    size_t n;
};
bool message_get_rows(const struct json *body, struct arena *a, struct message_rows *out,
                      struct err *e);

#endif
