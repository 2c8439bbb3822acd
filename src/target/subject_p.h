/* What the pool needs of a case: one row per kind of case, each in a file of its own. */
#ifndef TARGET_SUBJECT_P_H
#define TARGET_SUBJECT_P_H

#include "target/target.h"

struct ticket;
struct job;

struct target_subject {
    /* target_accepts */
    bool (*accepts)(const struct target *t, const struct tcase *c, struct strbuf *reason);
    /* Writes the subject's files into the ticket's folder, and sets the names of its outputs and
     * how many tensors a result has (TICKET_ANY_OUTPUTS: as many as the program captures). */
    bool (*put)(struct ticket *t, struct err *e);
    /* Adds the keys that only this kind has to a job's run frame, whose object is open. */
    void (*add_keys)(const struct job *job, struct json_out *w);
    /* Code that assay did not make: it runs only where files are confined (LANDLOCK or NAMESPACES).
     */
    bool is_untrusted;
    /* A case of this kind changes the process it runs in: it gets one of its own and runs once,
     * whatever the request says. */
    bool is_alone;
    int64_t least_ms; /* the deadline of such a case is at least this */
};

const struct target_subject *target__subject(const struct tcase *c);

extern const struct target_subject target__graph, target__program;

#endif
