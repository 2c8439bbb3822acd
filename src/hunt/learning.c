/* Decides which generator's arms a reward belongs to, and how all arms are written as one text: a
 * line with numbers, then the arms of each generator after a line "generator". */
#include "hunt/learning.h"

static const char separator[] = "generator\n";

void learning_init(struct learning *l, size_t n_generators)
{
    *l = (struct learning){.n = n_generators};
}

void learning_done(struct learning *l)
{
    for (size_t i = 0; i < l->n; i++)
        learned_done(&l->of[i]);
    l->n = 0;
}

void learning_reward(struct learning *l, const struct reward *r)
{
    learned_reward(&l->of[l->n_rewards % l->n], l->n_rewards / l->n, r);
    l->n_rewards++;
}

void learning_save(const struct learning *l, struct strbuf *out)
{
    strbuf_printf(out, "%llu\n", (unsigned long long)l->n_rewards);
    for (size_t i = 0; i < l->n; i++) {
        strbuf_adds(out, separator);
        learned_save(&l->of[i], out);
    }
}

/* Takes the text up to the next separator. */
static struct str take_part(struct str *rest)
{
    size_t at = str_find(*rest, str_of(separator));
    struct str part = str_sub(*rest, 0, at);
    *rest = str_sub(*rest, at + sizeof separator - 1, rest->n);
    return part;
}

bool learning_load(struct learning *l, struct str text, struct err *e)
{
    struct str rest = text;
    if (!str_to_u64(str_trim(take_part(&rest)), &l->n_rewards))
        return err_set(e, ERR_DATA, "what the campaign learned: a number of rewards is expected");
    for (size_t i = 0; i < l->n; i++)
        if (!learned_load(&l->of[i], take_part(&rest), e))
            return err_wrap(e, "generator %zu of %zu", i + 1, l->n);
    return rest.n == 0 || err_set(e, ERR_DATA,
                                  "what the campaign learned: more than the %zu "
                                  "generators expected",
                                  l->n);
}
