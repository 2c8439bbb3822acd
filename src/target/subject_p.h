/* What the pool needs of a case, per kind: one row a kind, in files of their own. */
#ifndef TARGET_SUBJECT_P_H
#define TARGET_SUBJECT_P_H

#include "target/target.h"

struct ticket;
struct job;

struct target_subject {
    /* target_accepts */
    bool (*accepts)(const struct target *t, const struct tcase *c, struct strbuf *reason);
    /* The subject's files in the ticket's folder, the names of its outputs and how many tensors a
     * result has (TICKET_ANY_OUTPUTS: as many as the program captures). */
    bool (*put)(struct ticket *t, struct err *e);
    /* Keys of a job's run frame that only this kind has; the object is open. */
    void (*add_keys)(const struct job *job, struct json_out *w);
    /* A case of this kind changes the process it runs in: it gets one of its own, runs once
     * whatever is asked, and may take this long at least. */
    /* Code that assay did not make: it runs only where files are confined (LANDLOCK or NAMESPACES).
     */
    bool is_untrusted;
    bool is_alone;
    int64_t least_ms;
};

const struct target_subject *target__subject(const struct tcase *c);

extern const struct target_subject target__graph, target__program;

#endif
