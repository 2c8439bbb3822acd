/* The coordinator's parts: slots (pilot processes), intake (what comes from them), ledger (bugs and
 * jobs in the store), resume (the campaign's row and history), replies (of a language model),
 * statistics. Each calls only later ones of: campaign, slots, intake, resume, replies, ledger. */
#ifndef HUNT_CAMPAIGN_CAMPAIGN_P_H
#define HUNT_CAMPAIGN_CAMPAIGN_P_H

#include "hunt/campaign/folder_p.h"
#include "hunt/campaign/log_file_p.h"
#include "hunt/campaign/schedule_p.h"
#include "hunt/campaign/triage_p.h"
#include "hunt/message.h"
#include "hunt/options.h"
#include "os/process.h"
#include "store/batch.h"

enum {
    HUNT_RANGE = 32,   /* indices handed out at once */
    HUNT_BACKLOG = 24, /* while so many failures wait, a pilot that reduces makes no new cases */
    HUNT_PILOTS_MAX = 1024,
    HUNT_GRACE_SECONDS = 20,    /* for work in progress when the time is over */
    HUNT_SILENCE_SECONDS = 300, /* a pilot that sends nothing for so long is killed */
    HUNT_FRUITLESS_DEATHS = 5,  /* the hunt fails after so many deaths of pilots without a result */
    HUNT_FOREIGN_DEATHS = 100,  /* the same for pilots that were killed from outside */
    HUNT_TOP = 8,               /* bugs on the screen */
    HUNT_SNAPSHOT_EPOCHS = 16,  /* epochs from one snapshot to the next */
    REPLIES_AHEAD = 64,         /* replies are requested for so many indices after the next */
    HUNT_IDLE_CASES = 32        /* a target that has run none of so many cases ends the campaign */
};

enum slot_state { SLOT_DOWN, SLOT_STARTING, SLOT_UP };

/* One pilot process and its work: at most a range and a reduction at the same time. Work that a
 * pilot died on is tried again alone, so that a second death has one possible cause. Work of a
 * pilot that was killed from outside is given out again unchanged. */
struct pilot_slot {
    struct hunt *h;
    uint32_t id;
    enum slot_state state;
    struct process *process;
    struct stream *stream;
    struct arena arena; /* of this process: reset at each start */
    bool is_lost;       /* to be closed in the next turn, since a callback must not close itself */
    bool is_foreign;    /* lost because something outside killed it */
    int64_t closed_ns;  /* when its stream closed; its exit status is awaited. 0: it is open */
    uint64_t oom_kills; /* the machine's count when the pilot last got work */
    bool has_range, has_triage;
    struct range range;
    uint64_t begun;    /* in a careful range: 1 + the index that is being run; 0: none */
    struct str triage; /* name of the item */
    bool is_alone;     /* the item is a second attempt: no range at the same time */
    int64_t job_epoch;
    uint64_t n_rewards_sent;
    int64_t heard_ns;
    uint64_t n_worker_restarts, n_hangs, n_presumed_hangs;
    int64_t hang_ms;
};

/* A bug as far as later decisions need it, such as which reproducer is better. */
struct known_bug {
    struct str id, key, state, from_key, detail, version;
    int64_t campaign, nodes, case_at, from_case_at, round;
    bool seen;       /* in this campaign */
    bool is_of_seed; /* a seed shows it without any edit */
    bool is_bare;    /* its reproducer was removed from the disk */
};

/* Does a target run at all? Cases given to it, and those that the engine itself answered. */
struct target_count {
    uint64_t n_cases, n_ran;
    struct str last; /* outcome */
};

struct rate_point {
    int64_t at_ns;
    uint64_t n_done;
};

/* Replies of a language model that generators want: got before the index is handed out. */
struct replies {
    struct arena arena;
    struct llm *llm; /* NULL: no model is queried */
    struct llm_stage stage;
    struct llm_call *call;
    struct generator *generators[HUNT_GENERATORS_MAX];
    size_t n;
    uint64_t next; /* all lower indices have their reply or are made without one */
};

struct hunt {
    struct arena arena;
    struct hunt_options options; /* complete: targets with version and mode */
    struct hunt_listener listener;
    struct loop *loop;
    struct store *store;
    struct batch batch;
    struct store_campaign campaign;
    struct folder folder;
    struct log_file log;
    int64_t room_ns;          /* when the room on the disk was last looked at */
    struct err short_of_room; /* set: it drains because of the disk; ERR_NONE: it does not */
    int64_t begun_ns, used_before_ms;
    int64_t limit_ms; /* of all runs of the campaign together; 0: none */
    struct schedule schedule;
    struct replies replies;
    struct triage triage;
    struct map preknown; /* keys of bugs of earlier campaigns -> place in bugs + 1 */
    VEC(struct known_bug) bugs;
    struct pilot_slot *slots;
    uint32_t n_slots;
    uint32_t n_fruitless, n_foreign; /* pilots that died, were killed since the last row */
    uint32_t n_restarts;
    struct map target_places; /* name -> place in target_counts */
    VEC(struct target_count) target_counts;
    struct map deaths;  /* bytes of an index -> pilots that died while they ran it alone */
    struct strbuf text; /* for messages */
    bool has_fatal;
    struct err fatal;
    bool draining, stopping, bugs_changed;
    int64_t drain_ns;
    struct hunt_statistics statistics;
    struct arena bugs_arena; /* of statistics.top */
    struct rate_point rates[6];
    int64_t tick_ns;
    int64_t last_new_ms;
    char *sandbox;
};

/* slots.c */
bool slots__open(struct hunt *h, struct err *e);
void slots__close(struct hunt *h);
/* Closes pilots that died, starts new ones, gives work to idle ones. */
bool slots__turn(struct hunt *h, struct err *e);
bool slots__are_idle(const struct hunt *h);

/* intake.c */
/* Handles a message of a pilot; false: it is invalid, and the pilot is given up. */
bool intake__read(struct hunt *h, struct pilot_slot *slot, const struct pilot_message *m,
                  struct err *e);
/* Handles the results that have no gap before them, in order of index: listener, keys, rewards. */
void intake__advance(struct hunt *h, bool replay);
/* Adds the new ones of a result's failing keys to the triage. */
void intake__take_failures(struct hunt *h, const struct store_failure *failures, size_t n);
/* ERR_ENVIRONMENT: a target was given n_least cases or more and has run none. */
bool intake__targets_run(const struct hunt *h, uint64_t n_least, struct err *e);
/* Counts a pilot that died while it ran this index alone; gives the index up after the second. */
void intake__count_death(struct hunt *h, uint64_t index);

/* replies.c */
bool replies__open(struct hunt *h, struct err *e); /* after resume__replay */
void replies__close(struct hunt *h);
void replies__turn(struct hunt *h);

/* ledger.c */
struct known_bug *ledger__find_bug(struct hunt *h, struct str id);
void ledger__remember_bug(struct hunt *h, const struct store_bug *row);
/* Two crashes with one key in different places of the same build are two bugs: the row then gets an
 * id of its own. */
void ledger__tell_apart(struct hunt *h, struct store_bug *row, struct arena *a);
/* Does the row's reproducer replace that of `old`, the bug as known so far (NULL: a new bug)? */
bool ledger__is_better(const struct known_bug *old, const struct store_bug *row);
/* Writes the bug with its artifacts, runs and events. */
void ledger__put_bug(struct hunt *h, const struct message_rows *rows, struct store_bug *row,
                     bool unreduced);
bool ledger__put_earlier(struct hunt *h, const struct store_bug *row, struct err *e);
void ledger__put_unreduced(struct hunt *h, const struct store_failure *f);
/* reduced: the key of the reduced case; empty: it was not reduced. */
void ledger__put_alias(struct hunt *h, const struct triage_item *item, struct str bug,
                       struct str reduced);
void ledger__add_job(struct hunt *h, const struct triage_item *item);
void ledger__end_job(struct hunt *h, const struct triage_item *item, int64_t epoch,
                     const char *state, struct str note);
/* End the job of an item: its bug is known, or its reduction leads to none. */
void ledger__settle_known(void *h, struct triage_item *item);
void ledger__settle_dead(struct hunt *h, struct triage_item *item, const char *why);
/* The item's case was removed from the disk: has its index run once more; if that is not possible
 * or did not help, settles the item. */
void ledger__remake(struct hunt *h, struct triage_item *item);
/* Lets the item be claimed again; uncounted: the claim does not count as an attempt. */
void ledger__return_job(struct hunt *h, const struct triage_item *item, int64_t epoch,
                        bool uncounted);
/* Writes what a resumed campaign reads instead of the results so far. */
void ledger__put_snapshot(struct hunt *h);
/* Ends the campaign with this error; the first one counts. */
void ledger__fail(struct hunt *h, const struct err *why);

/* resume.c */
bool resume__begin(struct hunt *h, struct err *e);
bool resume__replay(struct hunt *h, struct err *e);
bool resume__end(struct hunt *h, struct err *e);
/* Learns from the first n results again. The caller calls schedule__done. */
bool resume__learn_again(const struct hunt *h, uint64_t n, struct schedule *out, struct err *e);
/* "host:pid:start" of this process; resume__is_alive: does such a process still run? */
struct str resume__owner(struct arena *a);
bool resume__is_alive(struct str owner, struct arena *a);

/* statistics.c */
void statistics__tick(struct hunt *h);
/* The gravest bugs of the campaign that are neither ignored nor known nor in need of a second
 * opinion. */
void statistics__choose_top(const struct hunt *h, const struct store_bugs *bugs, struct arena *a,
                            struct hunt_statistics *st);

#endif
