/*
 * Takes out of messages what changes from run to run, so that equal failures have equal texts. The
 * steps have a fixed order, each with a row (normalise_steps) and tests: ANSI sequences; addresses;
 * object ids; tensor literals; shapes; devices; directories of paths; temporary names, pids, times,
 * sizes; names of nodes; operands of a node; dtypes of a type error; generated identifiers;
 * numbers. Operator names, other dtypes and enum names are kept.
 */
#ifndef JUDGE_NORMALISE_H
#define JUDGE_NORMALISE_H

#include "base/arena.h"
#include "base/str.h"

enum { NORMALISE_VERSION = 2 }; /* of the newest step */

/* match writes the replacement of the text at `at` and returns how many bytes it replaces; 0: the
 * step does not apply here. */
struct normalise_step {
    const char *name;
    int since; /* the version that brought it */
    size_t (*match)(struct str in, size_t at, struct strbuf *out);
};
const struct normalise_step *normalise_steps(size_t *n);
void normalise_step_run(const struct normalise_step *step, struct str in, struct strbuf *out);

/* Applies the steps that a version has and makes each run of white space one blank. At most
 * NORMALISE_MAX bytes. */
enum { NORMALISE_MAX = 600 };
struct str normalise_message(struct str raw, int version, struct arena *a);

/* The text of the Python error that a message says it got: "while f(x): got RuntimeError('text')".
 * "": it wraps none. Borrows from the message. */
struct str normalise_wrapped(struct str message);

/* The first n frames of a stack (one per line) that are the engine's, not plumbing (libc,
 * allocator, signal and unwinding code, interpreter), without addresses, offsets, template
 * arguments and parameters. Joined by " < ", innermost first. offsets: the first frame in a library
 * without symbols is given by its offset there. Not for hangs, which stop anywhere in their loop.
 */
struct str normalise_frames(struct str stack, size_t n, bool offsets, struct arena *a);

/* "libengine+0x1b": the first frame of the engine, if it has no symbol; else empty. */
struct str normalise_offset(struct str stack, struct arena *a);

#endif
