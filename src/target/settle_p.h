/*
 * What becomes of a step whose process was lost, or that passed while that is being found out.
 * Pure.
 *
 * A process that had run other cases proves nothing, so the case runs again alone; if it passes
 * then, all that had run before it runs again with it. Lost alone: that is the outcome. Lost only
 * in company: the outcome, with a note. Passed both: the result counts, and the loss is counted.
 * What was ended on suspicion runs again alone too, in quarantine: beside the other jobs.
 */
#ifndef TARGET_SETTLE_P_H
#define TARGET_SETTLE_P_H

/* How the step that lost its process is being settled. */
enum settling { SETTLE_NOT, SETTLE_ALONE, SETTLE_REPLAY };

/* What is known when a process is lost, as a set. */
enum settle_fact {
    SETTLE_FACT_UNWANTED = 1,   /* the step is a canary's, or its request was cancelled */
    SETTLE_FACT_UNSTARTED = 2,  /* no process had begun with the frame */
    SETTLE_FACT_TOO_OFTEN = 4,  /* and that so often that it is given up */
    SETTLE_FACT_ALONE = 8,      /* it ran again alone */
    SETTLE_FACT_REPLAY = 16,    /* it ran again behind all that had run before it */
    SETTLE_FACT_SUSPECT = 32,   /* its process was ended on suspicion, not at the deadline */
    SETTLE_FACT_PRESUMES = 64,  /* its mode is known to hang, and the request takes that for it */
    SETTLE_FACT_COMPANY = 128,  /* the process had run other cases */
    SETTLE_FACT_TIMED_OUT = 256 /* passed alone: the first loss was a deadline, not a death */
};

enum settle_action {
    SETTLE_NO_ANSWER,        /* the job ends without one */
    SETTLE_TRY_AGAIN,        /* as if it had not been sent */
    SETTLE_GIVE_UP,          /* refused: no process begins with it */
    SETTLE_BLAME,            /* the death is the step's outcome */
    SETTLE_BLAME_IN_COMPANY, /* the first death is, with a note */
    SETTLE_PRESUME,          /* a presumed hang is */
    SETTLE_QUARANTINE,       /* it goes on alone beside the queue */
    SETTLE_RUN_ALONE,        /* the same in this job's turn */
    SETTLE_RUN_COMPANY,      /* passed alone: now behind all that had run before it */
    SETTLE_REFUTED,          /* passed: a slow machine, not a broken heap; its result counts */
    SETTLE_PASSED            /* passed: its result counts */
};

enum settle_action settle__after_loss(unsigned facts);
enum settle_action settle__after_pass(unsigned facts); /* the run that was asked for has passed */

#endif
