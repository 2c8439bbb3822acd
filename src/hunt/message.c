/* Decides how messages are encoded. Knows rows as the store describes them, and nothing of how a
 * message is handled. */
#include "hunt/message.h"

#include "base/compiler.h"

const char *message_name(enum message_kind kind)
{
    static const char *const names[] = {
#define MESSAGE(id, number, sender, meaning) [number] = #id,
#include "hunt/messages.def"
#undef MESSAGE
    };
    return (size_t)kind < COUNT_OF(names) && names[kind] ? names[kind] : "?";
}

size_t message_take(struct str bytes, struct pilot_message *out, bool *bad)
{
    struct frame f;
    struct err ignored;
    size_t used = 0;
    enum frame_state state = frame_decode(bytes, MESSAGE_END, &f, &used, &ignored);
    *bad = state == FRAME_BAD;
    if (state == FRAME_WHOLE)
        *out = (struct pilot_message){(enum message_kind)f.kind, f.body};
    return used;
}

struct json_out message_begin(struct strbuf *text)
{
    static const char header[FRAME_HEADER_SIZE]; /* filled in when the length is known */
    strbuf_clear(text);
    strbuf_add(text, header, sizeof header);
    struct json_out w = json_open(text, JSON_COMPACT);
    json_begin_object(&w);
    return w;
}

bool message_end(enum message_kind kind, struct json_out *w, struct err *e)
{
    json_end_object(w);
    return frame_put_header(kind, 0, w->to->n - FRAME_HEADER_SIZE, w->to->at, e) ||
           err_wrap(e, "message %s", message_name(kind));
}

bool message_send(struct stream *s, enum message_kind kind, struct json_out *w, struct err *e)
{
    if (!message_end(kind, w, e))
        return false;
    stream_send(s, w->to->at, w->to->n);
    return true;
}

/* The tables whose rows are sent, with their names in messages. */
static const struct {
    const char *name;
    enum store_change_kind kind;
} tables[] = {
    {"result", STORE_RESULT}, {"failure", STORE_FAILURE}, {"artifact", STORE_ARTIFACT},
    {"bug", STORE_BUG},       {"alias", STORE_ALIAS},     {"run", STORE_RUN},
    {"event", STORE_EVENT},
};

void message_put_row(struct json_out *w, const struct store_change *change)
{
    json_begin_object(w);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        if (tables[i].kind == change->kind)
            json_pair_cstr(w, "table", tables[i].name);
    json_key(w, "row");
    store_row_to_json(change->kind, change->row, w);
    json_end_object(w);
}

bool message_get_row(const struct json *j, struct arena *a, struct store_change *out, struct err *e)
{
    struct str name = json_get_str(j, "table", STR(""));
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        if (!str_is(name, tables[i].name))
            continue;
        void *row = arena_alloc(a, store_row_size(tables[i].kind));
        *out = (struct store_change){.kind = tables[i].kind, .row = row};
        return store_row_from_json(tables[i].kind, json_get(j, "row"), a, row, e);
    }
    return err_set(e, ERR_DATA, "row of no known table \"" STR_FMT "\"", STR_ARG(name));
}

bool message_get_rows(const struct json *body, struct arena *a, struct message_rows *out,
                      struct err *e)
{
    const struct json *rows;
    if (!json_need(body, "rows", JSON_KIND_ARRAY, &rows, e))
        return false;
    *out = (struct message_rows){arena_new_array(a, struct store_change, rows->n), rows->n};
    for (size_t i = 0; i < rows->n; i++)
        if (!message_get_row(&rows->items[i], a, &out->at[i], e))
            return false;
    return true;
}
