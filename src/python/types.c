/*
 * struct types of one file: where its questions and the files that answer them are put together.
 * Nothing below includes or links this file.
 */
#include "python/types_p.h"

static const struct types_queries queries = {.type = types__query_type,
                                             .call = types__query_call,
                                             .object = types__query_object,
                                             .events = types__query_events,
                                             .summary = summary__query,
                                             .choice = types__query_choice,
                                             .plain_decorator = types__query_plain_decorator,
                                             .prune = types__query_prune};

void types_build(const struct names *n, const struct api_table *api,
                 const struct types_options *options, struct arena *a, struct types *out)
{
    *out = (struct types){.names = n, .api = api, .arena = a, .queries = &queries};
    if (options)
        out->options = *options;
    out->cache = arena_new(a, struct types_cache);
    out->cache->scopes = arena_new_array(a, struct scope_facts *, n->n_scopes);
}
