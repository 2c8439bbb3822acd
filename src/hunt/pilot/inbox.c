/*
 * Decides which messages of the coordinator wait, and which is taken next. The callback of the
 * stream only collects messages, and the pilot acts on them later, because the event loop also runs
 * inside localisation and reduction.
 */
#include "hunt/pilot/pilot_p.h"

#include "base/log.h"

static void collect_message(struct pilot *p, const struct pilot_message *m)
{
    struct arena a;
    struct err e;
    arena_init(&a);
    struct inbox_entry *entry = arena_new(&a, struct inbox_entry);
    if (!json_parse(m->body, message_name(m->kind), &a, &entry->body, &e)) {
        log_error("pilot: %s", e.text);
        p->is_closed = true;
        arena_done(&a);
        return;
    }
    entry->kind = m->kind;
    entry->arena = a;
    vec_push(&p->inbox, NULL, entry);
}

size_t inbox__on_bytes(void *ctx, struct str bytes)
{
    struct pilot *p = ctx;
    struct pilot_message m;
    size_t used = 0, n;
    bool bad;
    while ((n = message_take(str_sub(bytes, used, bytes.n), &m, &bad)) > 0) {
        collect_message(p, &m);
        used += n;
    }
    p->is_closed |= bad;
    return used;
}

void inbox__on_close(void *ctx)
{
    ((struct pilot *)ctx)->is_closed = true;
}

void inbox__free_entry(struct inbox_entry *entry)
{
    if (!entry)
        return;
    struct arena a = entry->arena;
    arena_done(&a);
}

/* Reads the START message directly from the descriptor, since there is no loop yet. */
bool inbox__read_start(int fd, struct arena *a, const struct json **body, struct err *e)
{
    struct frame f;
    if (!frame_read(fd, MESSAGE_END, a, &f, e))
        return err_wrap(e, "pilot: no start");
    if (f.kind != MESSAGE_START)
        return err_set(e, ERR_DATA, "pilot: the first message is no start");
    return json_parse(f.body, "start", a, body, e);
}

/* The first entry that is a reduction (triage) or that is not; NULL: none. */
struct inbox_entry *inbox__take(struct pilot *p, bool triage)
{
    for (size_t i = 0; i < p->inbox.n; i++) {
        struct inbox_entry *entry = p->inbox.at[i];
        if ((entry->kind == MESSAGE_TRIAGE) != triage)
            continue;
        memmove(p->inbox.at + i, p->inbox.at + i + 1, (--p->inbox.n - i) * sizeof entry);
        return entry;
    }
    return NULL;
}
