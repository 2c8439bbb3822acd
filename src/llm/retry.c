/* Decides whether and when a failed request is tried again. Pure: no clock, no network. */
#include "llm/llm_p.h"

enum { BACK_OFF_MOST_MS = 8000, SERVER_MOST_MS = 60000 };

static bool is_passing(const struct http_reply *r)
{
    if (r->should_retry >= 0)
        return r->should_retry;
    return r->status == 0 || r->status == 408 || r->status == 409 || r->status == 429 ||
           r->status >= 500;
}

int64_t retry__wait_ms(const struct http_reply *r, bool is_exhausted, const struct retry_state *s)
{
    if (is_exhausted || !is_passing(r) || s->n_tries >= s->max_tries)
        return -1;
    if (r->retry_after_ms >= 0)
        return MIN(r->retry_after_ms, (int64_t)SERVER_MOST_MS);
    int64_t wait = s->back_off_ms;
    for (int i = 1; i < s->n_tries && wait < BACK_OFF_MOST_MS; i++)
        wait *= 2;
    wait = MIN(wait, (int64_t)BACK_OFF_MOST_MS);
    return wait - (int64_t)(s->jitter % (uint64_t)(wait / 4 + 1));
}
