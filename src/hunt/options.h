/* The options that decide the cases of a campaign, as JSON: kept in the store, sent to pilots,
 * compared on resume. Lists of names lie in the arena. */
#ifndef HUNT_OPTIONS_H
#define HUNT_OPTIONS_H

#include "base/json.h"
#include "generate/generate.h"
#include "hunt/hunt.h"

/* One object: generators, strategy, to, models, operators, oracles, targets, lanes, cpu. */
void hunt_options_to_json(const struct hunt_options *o, struct json_out *w);
bool hunt_options_from_json(const struct json *j, struct arena *a, struct hunt_options *o,
                            struct err *e);

/* The options with which coordinator and pilots open generators. */
struct generate_options hunt_generate_options(const struct hunt_options *o);

/* ERR_USAGE: version or CPU differ, or the user asks for something else than the resumed campaign
 * has; the message names both. Targets without version agree with any version. */
bool hunt_options_agree(const struct hunt_options *asked, const struct hunt_options *old,
                        struct arena *a, struct err *e);

/* Empty lists get their defaults: generator "mutate", strategy "assay", target "ort". */
void hunt_options_complete(struct hunt_options *o);

#endif
