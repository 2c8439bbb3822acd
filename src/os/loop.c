/*
 * Decides which callback runs when: epoll over descriptors, a binary heap of timers, one signalfd.
 * Must not know what a descriptor carries. Invariant: an event is delivered only to the watch that
 * was in place when epoll reported it (the event holds the watch's generation), so callbacks may
 * change watches freely; timers fire in order of (time, id).
 */
#include "os/loop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "os/loop_p.h"

enum { LOOP_EVENTS_A_TURN = 64, LOOP_N_SIGNALS = 65 };

struct watch {
    loop_fd_fn fn; /* NULL: this descriptor is not watched */
    void *ctx;
    uint32_t generation;
};

struct timer {
    int64_t at_ns;
    uint64_t id; /* ascends in the order of adding */
    loop_timer_fn fn;
    void *ctx;
};

struct loop {
    int epoll_fd;
    VEC(struct watch) watches; /* by descriptor */
    size_t n_watches;          /* watches with a callback; the signalfd is not counted */
    uint32_t generation;
    VEC(struct timer) timers; /* a heap: earliest first */
    uint64_t last_timer;
    int signal_fd; /* -1: no signal is watched */
    sigset_t signals;
    struct {
        loop_signal_fn fn;
        void *ctx;
    } on_signal[LOOP_N_SIGNALS];
    bool stopped;
    struct process *processes;
};

struct process **loop__processes(struct loop *loop)
{
    return &loop->processes;
}

bool loop_open(struct loop **out, struct err *e)
{
    int fd = epoll_create1(EPOLL_CLOEXEC);
    if (fd < 0)
        return err_errno(e, ERR_IO, "cannot make an event loop");
    struct loop *loop = mem_alloc(sizeof *loop);
    *loop = (struct loop){.epoll_fd = fd, .signal_fd = -1};
    sigemptyset(&loop->signals);
    *out = loop;
    return true;
}

void loop_close(struct loop *loop)
{
    if (!loop)
        return;
    if (loop->signal_fd >= 0) {
        close(loop->signal_fd);
        sigprocmask(SIG_UNBLOCK, &loop->signals, NULL);
    }
    close(loop->epoll_fd);
    vec_free(&loop->watches);
    vec_free(&loop->timers);
    free(loop);
}

static struct watch *watch_of(struct loop *loop, int fd)
{
    return fd >= 0 && (size_t)fd < loop->watches.n && loop->watches.at[fd].fn
               ? &loop->watches.at[fd]
               : NULL;
}

bool loop_watch(struct loop *loop, int fd, unsigned interest, loop_fd_fn fn, void *ctx,
                struct err *e)
{
    bool is_new = !watch_of(loop, fd);
    uint32_t generation = is_new ? ++loop->generation : loop->watches.at[fd].generation;
    struct epoll_event event = {
        .events = (interest & LOOP_READ ? (uint32_t)EPOLLIN : 0) |
                  (interest & LOOP_WRITE ? (uint32_t)EPOLLOUT : 0),
        .data.u64 = (uint64_t)generation << 32 | (uint32_t)fd,
    };
    if (epoll_ctl(loop->epoll_fd, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event) != 0)
        return err_errno(e, ERR_IO, "cannot watch descriptor %d", fd);
    while ((size_t)fd >= loop->watches.n)
        vec_push(&loop->watches, NULL, (struct watch){0});
    loop->watches.at[fd] = (struct watch){fn, ctx, generation};
    loop->n_watches += is_new;
    return true;
}

void loop_unwatch(struct loop *loop, int fd)
{
    struct watch *watch = watch_of(loop, fd);
    if (!watch)
        return;
    epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    *watch = (struct watch){0};
    loop->n_watches--;
}

static bool is_earlier(const struct timer *a, const struct timer *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->id < b->id;
}

static void sift_up(struct timer *heap, size_t at)
{
    while (at > 0 && is_earlier(&heap[at], &heap[(at - 1) / 2])) {
        struct timer swapped = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = swapped;
        at = (at - 1) / 2;
    }
}

static void sift_down(struct timer *heap, size_t n, size_t at)
{
    for (;;) {
        size_t least = at, left = 2 * at + 1;
        for (size_t child = left; child < n && child <= left + 1; child++)
            if (is_earlier(&heap[child], &heap[least]))
                least = child;
        if (least == at)
            return;
        struct timer swapped = heap[at];
        heap[at] = heap[least];
        heap[least] = swapped;
        at = least;
    }
}

static void remove_timer(struct loop *loop, size_t at)
{
    loop->timers.at[at] = vec_pop(&loop->timers);
    if (at < loop->timers.n) {
        sift_up(loop->timers.at, at);
        sift_down(loop->timers.at, loop->timers.n, at);
    }
}

uint64_t loop_timer_add(struct loop *loop, int64_t after_ns, loop_timer_fn fn, void *ctx)
{
    int64_t at_ns;
    if (CHECKED_ADD(clock_now_ns(), MAX(after_ns, 0), &at_ns))
        at_ns = INT64_MAX;
    uint64_t id = ++loop->last_timer;
    vec_push(&loop->timers, NULL, (struct timer){at_ns, id, fn, ctx});
    sift_up(loop->timers.at, loop->timers.n - 1);
    return id;
}

void loop_timer_cancel(struct loop *loop, uint64_t id)
{
    for (size_t i = 0; id != 0 && i < loop->timers.n; i++)
        if (loop->timers.at[i].id == id) {
            remove_timer(loop, i);
            return;
        }
}

static void take_signals(struct loop *loop)
{
    struct signalfd_siginfo info;
    while (read(loop->signal_fd, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo < LOOP_N_SIGNALS && loop->on_signal[info.ssi_signo].fn)
            loop->on_signal[info.ssi_signo].fn(loop->on_signal[info.ssi_signo].ctx,
                                               (int)info.ssi_signo);
}

bool loop_watch_signal(struct loop *loop, int signo, loop_signal_fn fn, void *ctx, struct err *e)
{
    if (signo <= 0 || signo >= LOOP_N_SIGNALS)
        return err_set(e, ERR_INTERNAL, "no signal has the number %d", signo);
    sigaddset(&loop->signals, signo);
    int fd = signalfd(loop->signal_fd, &loop->signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0 || sigprocmask(SIG_BLOCK, &loop->signals, NULL) != 0)
        return err_errno(e, ERR_IO, "cannot watch signal %d", signo);
    if (loop->signal_fd < 0) {
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint32_t)fd};
        loop->signal_fd = fd;
        if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
            return err_errno(e, ERR_IO, "cannot watch signals");
    }
    loop->on_signal[signo].fn = fn;
    loop->on_signal[signo].ctx = ctx;
    return true;
}

static void deliver(struct loop *loop, const struct epoll_event *event)
{
    int fd = (int)(uint32_t)event->data.u64;
    if (fd == loop->signal_fd) {
        take_signals(loop);
        return;
    }
    const struct watch *watch = watch_of(loop, fd);
    if (!watch || watch->generation != (uint32_t)(event->data.u64 >> 32))
        return;
    unsigned ready = (event->events & EPOLLIN ? (unsigned)LOOP_READ : 0) |
                     (event->events & EPOLLOUT ? (unsigned)LOOP_WRITE : 0) |
                     (event->events & (EPOLLHUP | EPOLLERR) ? (unsigned)LOOP_HANGUP : 0);
    watch->fn(watch->ctx, fd, ready);
}

/* Timers that a callback adds wait for the next turn, so that they cannot starve descriptors. */
static void fire_timers(struct loop *loop)
{
    int64_t now = clock_now_ns();
    uint64_t last = loop->last_timer;
    while (loop->timers.n && loop->timers.at[0].at_ns <= now && loop->timers.at[0].id <= last) {
        struct timer due = loop->timers.at[0];
        remove_timer(loop, 0);
        due.fn(due.ctx);
    }
}

static int wait_ms(const struct loop *loop, int64_t max_wait_ns)
{
    int64_t wait_ns = max_wait_ns;
    if (loop->timers.n)
        wait_ns = MIN(wait_ns, loop->timers.at[0].at_ns - clock_now_ns());
    if (wait_ns <= 0)
        return 0;
    int64_t ms = wait_ns / LOOP_MS + (wait_ns % LOOP_MS != 0);
    return ms > INT32_MAX ? -1 : (int)ms;
}

bool loop_turn(struct loop *loop, int64_t max_wait_ns, struct err *e)
{
    struct epoll_event events[LOOP_EVENTS_A_TURN];
    int n = epoll_wait(loop->epoll_fd, events, LOOP_EVENTS_A_TURN, wait_ms(loop, max_wait_ns));
    if (n < 0 && errno != EINTR)
        return err_errno(e, ERR_IO, "the event loop cannot wait");
    for (int i = 0; i < n; i++)
        deliver(loop, &events[i]);
    fire_timers(loop);
    return true;
}

bool loop_run(struct loop *loop, struct err *e)
{
    loop->stopped = false;
    while (!loop->stopped && (loop->n_watches || loop->timers.n || loop->signal_fd >= 0))
        if (!loop_turn(loop, LOOP_FOREVER, e))
            return false;
    return true;
}

void loop_stop(struct loop *loop)
{
    loop->stopped = true;
}

size_t loop_n_watches(const struct loop *loop)
{
    return loop->n_watches;
}

size_t loop_n_timers(const struct loop *loop)
{
    return loop->timers.n;
}
