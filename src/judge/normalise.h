/*
 * Messages without what changes from run to run, so that equal failures have equal texts. Steps in
 * a fixed order, each its own row (normalise_steps) and its own tests: ANSI sequences; addresses;
 * object ids; tensor literals; shapes; devices; paths to base names; temporary names, pids, times,
 * sizes; generated identifiers; numbers last. Quoted operator names, dtypes and enum names are
 * kept.
 */
#ifndef JUDGE_NORMALISE_H
#define JUDGE_NORMALISE_H

#include "base/arena.h"
#include "base/str.h"

enum { NORMALISE_VERSION = 1 }; /* of the rules: part of stored keys */

/* match writes what stands for the text at `at` and returns how many bytes it stands for; 0: the
 * step does not apply here. */
struct normalise_step {
    const char *name;
    size_t (*match)(struct str in, size_t at, struct strbuf *out);
};
const struct normalise_step *normalise_steps(size_t *n);
void normalise_step_run(const struct normalise_step *step, struct str in, struct strbuf *out);

/* All steps; white space runs become one blank; at most NORMALISE_MAX bytes. */
enum { NORMALISE_MAX = 600 };
struct str normalise_message(struct str raw, struct arena *a);

/* The first n frames of a stack (one a line) that belong to the project: without plumbing (libc,
 * allocator, signal and unwinding code, interpreter), without addresses, offsets, template
 * arguments and parameters. Joined by " < ", innermost first. offsets: the first frame of a library
 * without symbols goes by its offset there; not for a hang, which is met anywhere in its loop. */
struct str normalise_frames(struct str stack, size_t n, bool offsets, struct arena *a);

/* The first frame of the engine's when it has no symbol: "libengine+0x1b"; else empty. */
struct str normalise_offset(struct str stack, struct arena *a);

#endif
