/* Decides how alike two descriptions are. Must not know what symbols do. */
#include "align/verify/descriptions.h"

#include <ctype.h>
#include <math.h>

enum { WORD_MAX = 32 };
static const double saturation = 1.2, length_weight = 0.75;

/* The next word in lower case: of letters only, without a plural's s; "reduce_sum" has two. */
static bool next_word(struct str *rest, char word[static WORD_MAX], struct str *out)
{
    size_t at = 0, n = 0;
    while (at < rest->n && !isalpha((unsigned char)rest->at[at]))
        at++;
    for (; at < rest->n && isalpha((unsigned char)rest->at[at]); at++)
        if (n < WORD_MAX)
            word[n++] = (char)tolower((unsigned char)rest->at[at]);
    n -= n > 3 && word[n - 1] == 's';
    *rest = str_sub(*rest, at, rest->n);
    *out = (struct str){word, n};
    return n > 0;
}

static void add_words(struct description *d, struct str text, struct arena *a)
{
    char buffer[WORD_MAX];
    struct str word;
    while (next_word(&text, buffer, &word)) {
        ++*map_at(&d->words, a, word, NULL);
        d->n_words++;
    }
}

static struct description describe(const struct symbol *s, struct arena *a)
{
    struct description d = {.symbol = s};
    add_words(&d, s->name, a);
    add_words(&d, s->summary, a);
    return d;
}

void descriptions_of(const struct side *s, struct arena *a, struct descriptions *out)
{
    size_t n_words = 0;
    *out = (struct descriptions){0};
    for (size_t i = 0; i < s->symbols.n; i++) {
        struct description d = describe(&s->symbols.at[i], a);
        for (size_t k = 0; k < d.words.entries.n; k++)
            ++*map_at(&out->holders, a, d.words.entries.at[k].key, NULL);
        n_words += d.n_words;
        vec_push(&out->list, a, d);
    }
    out->mean_words = out->list.n ? (double)n_words / (double)out->list.n : 0;
}

static double likeness(const struct descriptions *all, const struct description *asked,
                       const struct description *d)
{
    double sum = 0, n = (double)all->list.n;
    double length = 1 - length_weight + length_weight * (double)d->n_words / all->mean_words;
    for (size_t i = 0; i < asked->words.entries.n; i++) {
        struct str word = asked->words.entries.at[i].key;
        const uint64_t *here = map_get(&d->words, word), *held = map_get(&all->holders, word);
        if (!here)
            continue;
        double often = (double)*here, holders = (double)*held;
        double rarity = log(1 + (n - holders + 0.5) / (holders + 0.5));
        sum += rarity * often * (saturation + 1) / (often + saturation * length);
    }
    return sum;
}

size_t descriptions_nearest(const struct descriptions *d, const struct symbol *asked,
                            const struct symbol **nearest, size_t most)
{
    struct arena own;
    arena_init(&own);
    struct description words = describe(asked, &own);
    double *at = arena_new_array(&own, double, most);
    size_t n = 0;
    for (size_t i = 0; i < d->list.n; i++) {
        double x = likeness(d, &words, &d->list.at[i]);
        if (x <= 0 || d->list.at[i].symbol->is_class != asked->is_class)
            continue;
        size_t place = n;
        while (place > 0 && at[place - 1] < x)
            place--;
        if (place >= most)
            continue;
        n = MIN(n + 1, most);
        for (size_t k = n - 1; k > place; k--) {
            at[k] = at[k - 1];
            nearest[k] = nearest[k - 1];
        }
        at[place] = x;
        nearest[place] = d->list.at[i].symbol;
    }
    arena_done(&own);
    return n;
}
