/*
 * The inside of the pool: tickets (one per request), jobs (what one worker does for a ticket),
 * connections (the pool's side of a worker process).
 *
 *     request -> ticket -> jobs, one per installation -> queue -> a connection that is idle
 *     result frames -> observations of the ticket; a converter's result -> further jobs
 *
 * A job has one step per mode, in order. The worker runs the steps that are left; a step whose
 * process was lost is settled (run alone, then after all that had run before it) before the others
 * go on.
 */
#ifndef TARGET_POOL_P_H
#define TARGET_POOL_P_H

#include "base/vec.h"
#include "os/process.h"
#include "os/scratch.h"
#include "os/stream.h"
#include "target/outcome_p.h"
#include "target/pool.h"
#include "target/protocol.h"
#include "target/settle_p.h"

/* One mode of one job. */
struct step {
    const struct target_mode *mode;
    uint32_t *slots; /* targets that it answers: several if they share a converted model */
    size_t n_slots;
};

/* A case that a worker's present child has run. */
struct past_run {
    char *body; /* of the frame; heap */
    size_t n_modes;
    struct ticket *ticket;
};
struct run_history {
    VEC(struct past_run) list;
};

/* What is known of one mode's steps: how long they take, and whether it hangs. */
struct mode_record {
    const struct target_installation *installation;
    const struct target_mode *mode;
    uint32_t n_ended;   /* steps that ended by themselves */
    double mean_ms;     /* mean time of the newest of them, by the clock */
    uint32_t n_hangs;   /* steps that hung until the deadline, since the last wrong suspicion */
    uint32_t n_refuted; /* suspicions that were wrong */
    uint32_t canary_at; /* a worker's first canary runs once n_ended is this; UINT32_MAX: never */
};

/* After how many ms a step that does not end is given up. `suspect` is the early limit; 0: none
 * applies. */
struct watch_limits {
    int64_t suspect, busy, wall;
};
enum watch_word { WATCH_GO_ON, WATCH_SUSPECT, WATCH_OVER };

struct job {
    struct job *next; /* in the queue */
    struct ticket *ticket;
    const struct target_installation *installation;
    struct step *steps;
    size_t n_steps, step_at; /* step_at: the first that is not done */
    const char *file;        /* of the subject, in the ticket's folder */
    uint32_t number;         /* of the job in its ticket */
    uint32_t n_attempts;     /* frames sent for it; each has its own file names */
    uint32_t n_unstarted;    /* of these, how many no process began to run */
    uint32_t n_foreign;      /* of these, how many were killed from outside */
    enum settling settling;
    struct death death;            /* SETTLE_REPLAY: the first one */
    const struct scratch *results; /* of the worker that runs it */
    struct run_history prefix;     /* SETTLE_*: what had run before, oldest first */
    size_t prefix_at;
    bool had_fresh_worker;
    bool is_quarantined; /* one step that seems to hang, for a worker kept for such jobs */
    bool is_canary;      /* the canary of a worker: never in the queue, and of no request */
};

/* The ticket's graph as a program, for targets whose description says `emit`. */
struct emitted {
    struct str framework;
    const char *file; /* in the ticket's folder */
    struct str entry, weights_json;
};

struct ticket {
    struct ticket *next; /* of the pool's list */
    struct pool *pool;
    struct arena arena; /* jobs, texts */
    struct pool_request request;
    size_t n_sets;
    uint32_t n_repeats;
    struct str outputs_json, sets_json, weights_json; /* of its frames */
    double cost_ms;              /* expected time of one step, by its multiply-adds */
    VEC(struct emitted) emitted; /* one per framework */
    struct str arguments_json;   /* of the programs: names of the graph's inputs */
    struct str dtypes_json;      /* of the graph's outputs, as declared */
    size_t n_outputs, n_exposed; /* of the plain graph; intermediates added after those */
    struct observation *observations;
    struct str *converted; /* by target: the model that a converter made; empty: none */
    const char *folder;
    uint32_t n_users; /* the ticket itself until its callback, and each history that has it */
    uint32_t n_open;  /* jobs not finished */
    uint32_t n_jobs;
    uint64_t answer_timer; /* 0: jobs answer it */
    bool is_cancelled; /* no caller waits: pointers of the request may dangle, only its plain values
                          may be read */
    pool_done_fn done;
    void *ctx;
};

struct connection;

enum connection_state {
    CONNECTION_STARTING, /* hello is awaited */
    CONNECTION_IDLE,
    CONNECTION_BUSY,   /* a frame is out */
    CONNECTION_ENDING, /* its child was told to exit, so that the next frame runs in a fresh one */
    CONNECTION_SETTLING, /* its process died; its last output is still being read */
    CONNECTION_LOST      /* to be freed in the next turn */
};

/* Events of a worker, for the code that gives it work. */
struct connection_events {
    void (*ready)(struct connection *); /* it said hello */
    void (*not_started)(struct connection *, struct str why);
    void (*started)(struct connection *);  /* a process began with the frame */
    void (*prepared)(struct connection *); /* the worker itself did what its children need */
    void (*result)(struct connection *, const struct json *);   /* one of the n_modes answers */
    void (*child_ended)(struct connection *, bool was_running); /* was_running: lost comes next */
    void (*lost)(struct connection *);         /* what ran the frame died: conn->death */
    void (*worker_ended)(struct connection *); /* while no frame was out */
};

struct connection {
    struct connection *next;
    struct pool *pool;
    const struct connection_events *events;
    const struct target_installation *installation;
    enum connection_state state;
    struct process *process;
    struct stream *stream;
    struct sandbox_plan *plan;
    struct scratch *own;     /* the only folder that it may write to */
    struct scratch *results; /* in it */
    struct arena arena;
    struct job *job;           /* BUSY, ENDING, SETTLING */
    struct strbuf body;        /* of the frame that is out */
    size_t n_modes, n_answers; /* of that frame */
    uint32_t seq;
    bool started;    /* a process has begun with the frame that is out */
    int child;       /* 0: none */
    int child_named; /* its pid in the worker's own namespace */
    struct run_history history;
    uint64_t n_cases;     /* frames sent to this worker */
    int64_t began_cpu_ns; /* CPU time at the deadline: shows whether a hang computes or waits */
    struct watch_limits limits; /* of the step that runs; this and the next three for watch.c */
    int64_t step_ns;            /* when it began */
    int64_t step_cpu_ns;        /* of the process, at the first look at the step; -1: none yet */
    bool is_suspect;            /* it is stopped because it seems to hang, before its deadline */
    bool is_quarantined;        /* takes only quarantined jobs */
    uint64_t use_timer;         /* until the next look at what it uses; 0: layers limit that */
    uint64_t timer;             /* the one that runs: hello, deadline, patience, settling */
    struct death death;
    uint64_t oom_kills; /* on this machine, when the process that runs cases began */
    bool can_dump_stacks, worker_died;
    /* For refresh.c: */
    uint32_t n_children; /* that have ended */
    int64_t born_ns;
    uint64_t first_bytes;        /* resident memory at its hello, or once prepared */
    bool is_ageing, is_replaced; /* needs a successor; has one that serves */
    bool has_successor, is_successor;
    uint32_t canary_in;          /* children until the next canary; as the next two for canary.c */
    const struct target *canary; /* the target that it runs in; NULL: none has run yet */
    struct hash canary_answer;   /* the first; zero: none */
};

/* An installation whose worker does not start. Processes or descriptors may run short for a moment,
 * so START_TRIES starts in a row are tried; then each of its jobs is answered at once. */
enum { START_TRIES = 2 };
struct start_failure {
    const struct target_installation *installation;
    struct str text;
    uint32_t n_tries;
};

struct pool {
    struct pool_options options;
    struct arena arena;
    struct scratch *place;   /* holds the cases, and a folder for each worker */
    struct scratch *scratch; /* in it: the cases, which workers read */
    struct sandbox_state sandbox;
    uint64_t next_worker;
    struct connection *connections;
    struct job *queue;
    struct ticket *tickets;
    uint64_t next_folder;
    const char *self;        /* path of the program that native workers run */
    const char *worker_path; /* folder above assay_worker/; NULL until needed */
    uint64_t wake_timer;
    loop_timer_fn on_wake;                  /* pool.c */
    const struct connection_events *events; /* of its workers: serve.c */
    struct pool_statistics statistics;
    VEC(struct start_failure) failures;
    VEC(struct mode_record) records;
    struct tcase *canary; /* NULL until needed */
};

/* The rest is in the order of calls: each file calls only those below it, except that connections
 * report their events to serve.c and timers call the file that set them. */

/* batch.c: takes the ticket out of its batch, when the pool closes. */
void batch__drop(struct ticket *t);

/* serve.c */
void serve__job(struct connection *conn, struct job *job);
extern const struct connection_events serve__events;

/* canary.c: the canary that the worker runs before this job; NULL: none is due. */
struct job *canary__next(struct connection *conn, const struct job *before);
void canary__ended(struct connection *conn, struct job *canary);

/* refresh.c */
void refresh__prepared(struct connection *conn); /* its memory of now is no growth */
void refresh__child_ended(struct connection *conn);
void refresh__said_hello(struct connection *conn);
void refresh__did_not_start(struct connection *conn); /* conn is a successor */
void refresh__start_successors(struct pool *pool);

/* connection_start.c */
bool connection__new(struct pool *pool, const struct target_installation *installation,
                     bool is_quarantined, struct connection **out, struct err *e);
void connection__free(struct connection *conn);

/* connection_frames.c */
size_t connection__on_bytes(void *ctx, struct str bytes);

/* watch.c */
void watch__begin_step(struct connection *conn);
void watch__step_ended(struct connection *conn); /* by itself */
void watch__step_refuted(struct mode_record *record);
double watch__cost_ms(const struct pool_request *r);
/* Pure functions: the limits of a step, and whether a step with these times exceeds one. */
struct watch_limits watch__limits(const struct pool_request *r, int64_t deadline_ms, double cost_ms,
                                  const struct mode_record *record);
enum watch_word watch__judge(const struct watch_limits *l, int64_t wall_ms, int64_t cpu_ms);
bool watch__presumes(const struct pool_request *r, const struct mode_record *record);
struct mode_record *watch__record(struct pool *pool, const struct target_installation *installation,
                                  const struct target_mode *mode);
struct mode_record *watch__record_of(const struct connection *conn, const struct step *step);

/* connection.c */
void connection__send(struct connection *conn, unsigned kind, struct str body);
void connection__run(struct connection *conn);       /* sends conn->body; n_modes answers follow */
void connection__end_child(struct connection *conn); /* the next frame runs in a fresh one */
void connection__set_idle(struct connection *conn);
void connection__retire(struct connection *conn); /* ends a worker that did nothing wrong */
void connection__set_timer(struct connection *conn, int64_t after_ms, loop_timer_fn fn);
void connection__time_out(struct connection *conn);               /* ends the process of the step */
void connection__break(struct connection *conn, const char *why); /* it broke the protocol */
void connection__process_lost(struct connection *conn);           /* conn->death says how */

/* ticket_jobs.c */
void ticket__make_jobs(struct ticket *t);
struct job *ticket__first_job(struct ticket *t, uint32_t slot); /* its one step is that target */
void ticket__job_done(struct job *job);
void ticket__answer_later(struct ticket *t); /* from the loop, for a ticket without jobs */
/* Drops the callback: each job ends when a worker or the queue gets to it. */
void ticket__cancel(struct ticket *t);

/* job.c: what a job says to a worker, and what a worker's answer means to it. */
void job__write_body(struct job *job, size_t n_modes, bool alone, struct strbuf *out);
bool job__take_result(struct job *job, struct step *step, const struct json *result,
                      struct err *e); /* ERR_DATA: not a valid answer */
void job__take_death(struct job *job, struct step *step, const struct death *death);
void job__refuse(struct job *job, struct step *step, enum outcome outcome, const char *type,
                 struct str text);

/* history.c */
void history__add(struct run_history *history, char *body, size_t n_modes, struct ticket *ticket);
void history__clear(struct run_history *history);

/* ticket.c */
#define TICKET_MODEL "model.onnx" /* in the ticket's folder */
#define TICKET_PROGRAM "program.py"
#define TICKET_ANY_OUTPUTS SIZE_MAX
/* Makes the ticket with its files, without jobs; a request without an arena gets the ticket's. */
bool ticket__new(struct pool *pool, const struct pool_request *request, struct ticket **out,
                 struct err *e);
void ticket__hold(struct ticket *t);
void ticket__release(struct ticket *t); /* the last user removes files and memory */
struct job *ticket__add_job(struct ticket *t, const struct target_installation *installation,
                            const char *file, size_t n_steps);
struct observation *ticket__observation(struct ticket *t, uint32_t slot, size_t set,
                                        uint32_t repeat);

/* queue.c */
void pool__wake(struct pool *pool); /* makes it look at queue and workers in the next turn */
void pool__enqueue(struct pool *pool, struct job *job, bool first);
void pool__start_failed(struct pool *pool, const struct target_installation *installation,
                        struct str text);
void pool__started(struct pool *pool, const struct target_installation *installation);
/* Why no worker starts; NULL: one does, or another start is to be tried. */
const struct str *pool__start_failure(const struct pool *pool,
                                      const struct target_installation *installation);

#endif
