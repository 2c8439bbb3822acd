/* Pure functions from the facts of a failure to its outcome and message. */
#ifndef TARGET_OUTCOME_P_H
#define TARGET_OUTCOME_P_H

#include "case/observation.h"
#include "target/target.h"

/* How a process that ran a case was lost. */
struct death {
    bool timed_out, cpu_bound, flooded;
    bool by_protocol; /* it broke the protocol, and was killed for that */
    bool is_foreign;  /* killed from outside: os/death.h */
    bool presumed;    /* timed_out, but by the early limit only: pool_is_presumed */
    int code, signo;  /* as the kernel reports it; signo 0: it exited */
    uint64_t peak_bytes, memory_limit;
    struct str text;  /* what it wrote to stderr since the case began */
    const char *note; /* put before the text; NULL: none */
};
void outcome__of_death(const struct death *d, struct arena *a, struct observation *out);

/* Refines `told`, where it is EXCEPTION, by the words of the engine's description. */
enum outcome outcome__of_message(const struct target_description *d, enum outcome told,
                                 struct str type, struct str text);

#endif
