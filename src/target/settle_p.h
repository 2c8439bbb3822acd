/*
 * What to do with a step whose process died, or that passed when it was run again after a death.
 * Pure functions.
 *
 * A process that had run other cases before may have died because of them, so the case runs again
 * alone. If it passes alone, it runs once more after the same cases as before. If it dies alone,
 * that is the outcome. If it dies only after the others, that is the outcome, with a note. If it
 * passes both times, the result counts, and the death is counted in the statistics. A step that was
 * stopped because it seemed to hang also runs again alone, in quarantine: in a worker of its own,
 * while other jobs go on. A process killed from outside proves nothing: the step runs again.
 */
#ifndef TARGET_SETTLE_P_H
#define TARGET_SETTLE_P_H

/* Which of these reruns a step is in. */
enum settling { SETTLE_NOT, SETTLE_ALONE, SETTLE_REPLAY };

/* What is known when a process is lost, as a set. */
enum settle_fact {
    SETTLE_FACT_UNWANTED = 1,  /* the step is a canary's, or its request was cancelled */
    SETTLE_FACT_UNSTARTED = 2, /* no process had begun to run it */
    SETTLE_FACT_TOO_OFTEN = 4, /* unstarted or killed from outside too often: it is given up */
    SETTLE_FACT_ALONE = 8,     /* it ran again alone */
    SETTLE_FACT_REPLAY = 16,   /* it ran again after the same cases as before */
    SETTLE_FACT_SUSPECT =
        32, /* its process was stopped because it seemed to hang, before the deadline */
    SETTLE_FACT_PRESUMES =
        64, /* its mode is known to hang, and the request accepts that as the answer */
    SETTLE_FACT_COMPANY = 128,  /* the process had run other cases before */
    SETTLE_FACT_FOREIGN = 512,  /* it was killed from outside */
    SETTLE_FACT_TIMED_OUT = 256 /* passed alone: the first loss was a deadline, not a death */
};

enum settle_action {
    SETTLE_NO_ANSWER,        /* the job ends without one */
    SETTLE_TRY_AGAIN,        /* the step is sent again */
    SETTLE_GIVE_UP,          /* the step and those after it are refused */
    SETTLE_BLAME,            /* the death is the step's outcome */
    SETTLE_BLAME_IN_COMPANY, /* the first death is the outcome, with a note */
    SETTLE_PRESUME,          /* a presumed hang is the outcome */
    SETTLE_QUARANTINE,       /* the case runs again alone, in quarantine */
    SETTLE_RUN_ALONE,        /* the case runs again alone, in this job */
    SETTLE_RUN_COMPANY,      /* passed alone: the case runs again after the same cases as before */
    SETTLE_REFUTED,          /* passed after a deadline: the machine was slow; the result counts */
    SETTLE_PASSED            /* passed: its result counts */
};

enum settle_action settle__after_loss(unsigned facts);
enum settle_action settle__after_pass(unsigned facts); /* after a rerun passed */

#endif
