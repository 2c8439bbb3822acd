/* A trial's conversation with one worker process, frame by frame; each wait has a deadline. */
#ifndef TARGET_TRIAL_P_H
#define TARGET_TRIAL_P_H

#include "base/vec.h"
#include "os/process.h"
#include "os/scratch.h"
#include "os/stream.h"
#include "target/protocol.h"
#include "target/trial.h"

struct reply {
    enum frame_kind kind;
    uint32_t seq;
    const struct json *body; /* an object */
};

/* How a worker is started; shared by the checks. */
struct trial_start {
    const char *program;
    const char *const *argv;
    const struct scratch *scratch;
    int64_t deadline_ms;
    uint64_t memory_bytes; /* 0: not limited */
};

struct talk {
    const struct trial_start *start;
    struct arena arena;
    struct loop *loop;
    struct sandbox_plan *plan;
    struct process *process;
    struct stream *stream;
    struct {
        VEC(struct reply) list;
    } replies;
    size_t n_taken;
    bool is_broken, is_over; /* a bad frame came; the process has ended */
    bool is_late;            /* the deadline of the wait has passed */
    struct err wrong;        /* is_broken */
    struct process_end end;  /* is_over */
};

bool talk__open(struct talk *k, const struct trial_start *start, struct err *e);
void talk__close(struct talk *k);

bool talk__send(struct talk *k, unsigned kind, uint32_t seq, struct str body, struct err *e);
void talk__send_bytes(struct talk *k, const void *bytes, size_t n);
void talk__hang_up(struct talk *k); /* closes our end */

/* Takes the next frame, which must be of this kind; ERR_DATA says what came instead, or that
 * nothing did. */
bool talk__next(struct talk *k, unsigned kind, struct reply *out, struct err *e);
/* Waits for the end of the worker, which may send an error before and nothing else. */
bool talk__ends(struct talk *k, struct err *e);

#endif
