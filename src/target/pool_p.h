/*
 * The inside of the pool: tickets (one per request), jobs (what one worker does for a ticket),
 * hands (the pool's side of a worker process).
 *
 *     request -> ticket -> jobs, one per installation -> queue -> a hand that is idle
 *     result frames -> observations of the ticket; a converter's result -> further jobs
 *
 * A job's steps are its modes, in order. The hand runs the steps that are left; a step whose
 * process was lost is settled (again alone, then with all that ran before it) before the others go
 * on.
 */
#ifndef TARGET_POOL_P_H
#define TARGET_POOL_P_H

#include "base/vec.h"
#include "os/process.h"
#include "os/scratch.h"
#include "os/stream.h"
#include "target/frame.h"
#include "target/outcome_p.h"
#include "target/pool.h"

/* One mode of one job. */
struct step {
    const struct target_mode *mode;
    uint32_t *slots; /* targets of the request that it answers: several share one converted model */
    size_t n_slots;
};

/* A case that the living child of a hand has run. */
struct memory {
    char *body; /* of the frame; heap */
    size_t n_modes;
    struct ticket *ticket;
};
struct memories {
    VEC(struct memory) list;
};

/* What is known of one mode's steps: how long they take, and whether it hangs. */
struct mode_record {
    const struct target_installation *installation;
    const struct target_mode *mode;
    uint32_t n_ended;   /* steps that ended by themselves */
    double mean_ms;     /* of the newest of them, by the clock */
    uint32_t n_hangs;   /* steps found to hang by the whole deadline, since the last mistake */
    uint32_t n_refuted; /* suspicions that were wrong */
    uint32_t canary_at; /* n_ended from which on a hand's first one is asked; UINT32_MAX: never */
};

/* When a step that does not end is given up, in ms. suspect 0: never before the others. */
struct watch_limits {
    int64_t suspect, busy, wall;
};
enum watch_word { WATCH_GO_ON, WATCH_SUSPECT, WATCH_OVER };

/* How the step that lost its process is being settled. */
enum settling { SETTLE_NOT, SETTLE_ALONE, SETTLE_REPLAY };

struct job {
    struct job *next; /* in the queue */
    struct ticket *ticket;
    const struct target_installation *installation;
    struct step *steps;
    size_t n_steps, step_at; /* first step that is not done */
    const char *model;       /* file name in the ticket's folder */
    uint32_t number;         /* within the ticket */
    uint32_t n_attempts;     /* frames sent for it: the files of each have names of their own */
    uint32_t n_unstarted;    /* of them that no process began */
    enum settling settling;
    struct death death;     /* SETTLE_REPLAY: the first one */
    struct memories prefix; /* SETTLE_*: what had run before, oldest first */
    size_t prefix_at;
    bool had_fresh_worker;
    bool is_aside;  /* of one step that seems to hang; for hands that do nothing else */
    bool is_canary; /* of one hand: never in the queue, its ticket is nobody's request */
};

struct ticket {
    struct ticket *next; /* of the pool's list */
    struct pool *pool;
    struct arena arena; /* jobs, texts */
    struct pool_request request;
    size_t n_sets;
    uint32_t n_repeats;
    struct str outputs_json, sets_json; /* of its frames */
    double cost_ms;                     /* that one step should take, by its multiply-adds */
    size_t n_outputs, n_exposed;        /* of the plain graph; and intermediates behind them */
    struct observation *observations;
    struct str *converted; /* by target: the model that a converter made; empty: none */
    const char *folder;
    uint32_t n_users; /* the ticket itself until its callback, and memories */
    uint32_t n_open;  /* jobs not finished */
    uint32_t n_jobs;
    uint64_t answer_timer; /* 0: jobs answer it */
    pool_done_fn done;
    void *ctx;
};

enum hand_state {
    HAND_STARTING, /* hello is awaited */
    HAND_IDLE,
    HAND_BUSY,     /* a frame is out */
    HAND_ENDING,   /* its child was told to leave, so that the next frame finds a fresh one */
    HAND_SETTLING, /* its process was lost, its last text is awaited */
    HAND_LOST      /* to be freed in the next turn */
};

struct hand {
    struct hand *next;
    struct pool *pool;
    const struct target_installation *installation;
    enum hand_state state;
    struct process *process;
    struct stream *stream;
    struct sandbox_plan *plan;
    struct job *job;           /* BUSY, ENDING, SETTLING */
    struct strbuf body;        /* of the frame that is out */
    size_t n_modes, n_answers; /* of that frame */
    uint32_t seq;
    bool started; /* the frame that is out was begun by a process */
    int child;    /* 0: none */
    struct memories memories;
    uint64_t n_cases;           /* frames sent to this worker */
    int64_t began_cpu_ns;       /* when the deadline passed: tells a busy hang from a blocked one */
    struct watch_limits limits; /* of the step that runs; for pool_watch.c, as what follows */
    int64_t step_ns;            /* when it began */
    int64_t step_cpu_ns;        /* of the process, at the first look at the step; -1: none yet */
    bool is_suspect;            /* it is ended on suspicion, not at its deadline */
    bool is_aside;              /* takes only jobs that are */
    uint64_t timer;             /* the one that runs: hello, deadline, patience, settling */
    struct death death;
    bool can_dump_stacks, worker_died;
    uint32_t n_children; /* that have ended; for refresh.c, as what follows */
    int64_t born_ns;
    uint64_t first_bytes;        /* resident at its hello */
    bool is_ageing, is_replaced; /* wants a successor; has one that serves */
    bool has_successor, is_successor;
    uint32_t canary_in;          /* children until its next canary; for canary.c, as what follows */
    const struct target *canary; /* as which it is asked; NULL: not yet */
    struct hash canary_answer;   /* the first; zero: none */
};

/* An installation whose worker does not start: found out once, then answered at once. */
struct start_failure {
    const struct target_installation *installation;
    struct str text;
};

struct pool {
    struct pool_options options;
    struct arena arena;
    struct scratch *scratch;
    struct sandbox_state sandbox;
    struct hand *hands;
    struct job *queue;
    struct ticket *tickets;
    uint64_t next_folder;
    const char *self;        /* path of the program that native workers are */
    const char *worker_path; /* folder above assay_worker/; NULL until needed */
    uint64_t wake_timer;
    struct pool_statistics statistics;
    VEC(struct start_failure) failures;
    VEC(struct mode_record) records;
    struct tcase *canary; /* NULL until needed */
};

/* pool.c */
void pool__wake(struct pool *pool); /* look at queue and hands in the next turn */
void pool__enqueue(struct pool *pool, struct job *job, bool first);
void pool__start_failed(struct pool *pool, const struct target_installation *installation,
                        struct str text);

/* ticket.c */
void ticket__answer_later(struct ticket *t); /* from the loop, for a ticket without jobs */
/* With its files, without jobs; a request without an arena gets the ticket's. */
bool ticket__new(struct pool *pool, const struct pool_request *request, struct ticket **out,
                 struct err *e);
void ticket__make_jobs(struct ticket *t);
void ticket__hold(struct ticket *t);
void ticket__release(struct ticket *t); /* the last user removes files and memory */
void ticket__job_done(struct job *job);
struct job *ticket__add_job(struct ticket *t, const struct target_installation *installation,
                            const char *model, size_t n_steps);
struct job *ticket__first_job(struct ticket *t, uint32_t slot); /* with that target as its step */
struct observation *ticket__observation(struct ticket *t, uint32_t slot, size_t set,
                                        uint32_t repeat);

/* job.c: what a job says to a worker, and what a worker's answer means to it. */
void job__write_body(struct job *job, size_t n_modes, bool alone, struct strbuf *out);
bool job__take_result(struct job *job, struct step *step, const struct json *result,
                      struct err *e); /* ERR_DATA: no worker says such */
void job__take_death(struct job *job, struct step *step, const struct death *death);
void job__refuse(struct job *job, struct step *step, enum outcome outcome, const char *type,
                 struct str text);

/* hand.c */
bool hand__new(struct pool *pool, const struct target_installation *installation, bool is_aside,
               struct hand **out, struct err *e);
void hand__free(struct hand *h);
void hand__give(struct hand *h, struct job *job);
void hand__go_on(struct hand *h);  /* sends what the job needs next, or finishes it */
void hand__retire(struct hand *h); /* no fault of its own */
void hand__set_timer(struct hand *h, int64_t after_ms, loop_timer_fn fn);
void hand__time_out(struct hand *h); /* ends the process that runs the step */
void hand__proceed(struct hand *h);  /* go_on, or with another worker when this one has died */
void hand__break(struct hand *h, const char *why); /* it sent what no worker sends */
void hand__process_lost(struct hand *h);           /* h->death says how */
/* pool_watch.c */
void watch__begin_step(struct hand *h);
void watch__step_ended(struct hand *h);                         /* by itself */
void watch__step_hung(struct hand *h, const struct step *step); /* by the whole deadline */
void watch__step_refuted(struct hand *h, const struct step *step);
double watch__cost_ms(const struct pool_request *r);
/* Pure: the limits of a step, and what they say of one that has run so long. */
struct watch_limits watch__limits(const struct pool_request *r, int64_t deadline_ms, double cost_ms,
                                  const struct mode_record *record);
enum watch_word watch__judge(const struct watch_limits *l, int64_t wall_ms, int64_t cpu_ms);
bool watch__presumes(const struct pool_request *r, const struct mode_record *record);
struct mode_record *watch__record(struct pool *pool, const struct target_installation *installation,
                                  const struct target_mode *mode);
/* hand_frames.c */
size_t hand__on_bytes(void *ctx, struct str bytes);
/* refresh.c */
void refresh__child_ended(struct hand *h);
void refresh__said_hello(struct hand *h);
void refresh__did_not_start(struct hand *h); /* a successor */
void refresh__start_successors(struct pool *pool);
/* canary.c */
bool canary__begin(struct hand *h, const struct job *before); /* true: the hand has it first */
void canary__ended(struct hand *h, struct job *canary);
/* settle.c */
void hand__settle(struct hand *h);
void hand__passed(struct hand *h, const struct json *result); /* while a step is being settled */
void memories__clear(struct memories *m);

#endif
