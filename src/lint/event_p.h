/* Events as rules describe them: shared by the predicates event and sequence. */
#ifndef LINT_EVENT_P_H
#define LINT_EVENT_P_H

#include "lint/predicate_p.h"

enum event_relation {
    RELATION_SAME, /* the subject is the object */
    RELATION_MAY,  /* the subject may be the object, hold it, or be held by it */
    RELATION_ANY
};

struct event_pattern {
    uint64_t roles, types;
    uint8_t of; /* the object related to; CAPTURE_NO: none */
    enum event_relation relation;
    bool by_name; /* outside fragments a method's name suffices: confidence is at least medium */
    bool no_deep, must_deep; /* events in called functions: not at all, or only those on every path
                                there */
};

#define EVENT_KEYS "role", "type", "of", "relates", "deep", "by-name"

bool event__compile_pattern(struct compile *c, const struct json *j, struct event_pattern *out,
                            struct err *e);
/* May the scope hold such an event, and the roles and words that the check requires beside it? */
bool event__may_stand(struct match *m, const struct event_pattern *s, uint32_t scope);
enum truth event__test(struct match *m, const struct event_pattern *s, uint32_t scope,
                       const struct types_event *ev);

/* A set of points: events, one capture, the entry or the exit. */
struct points {
    uint8_t capture;
    bool is_border; /* entry of a `from`, exit of a `to` */
    const struct event_pattern *patterns;
    size_t n_patterns;
    bool is_given;
};

bool event__compile_points(struct compile *c, const struct json *j, const char *key,
                           struct points *out, struct err *e);
/* The points, in the arena of the file. *unsure: for one of them it is not known whether it
 * belongs. */
void event__points(struct match *m, const struct points *p, uint32_t scope, struct step_set *out);

#endif
