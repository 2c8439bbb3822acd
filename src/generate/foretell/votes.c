/*
 * Decides what a model's reply is worth, and what several say together. Must not know what was
 * asked, nor the real result. A reply is data: it chooses among the schema's words, and nothing of
 * it is run.
 */
#include "generate/foretell/votes.h"

enum { QUOTE_MIN = 8 }; /* bytes; as the shortest sentence of a document */

const char *reply_status_name(enum reply_status s)
{
    static const char *const names[] = {
#define REPLY(id, name) name,
#include "generate/foretell/reply_status.def"
#undef REPLY
    };
    return names[s];
}

/* Replies -------------------------------------------------------------------------------------*/

/* The listed words of a property; NULL: it has none. */
static const struct json *words_of(const struct json *properties, const char *name)
{
    return json_get(json_get(properties, name), "enum");
}

static bool read_word(const struct json *j, const char *key, const struct json *words,
                      struct str *out)
{
    *out = json_get_str(j, key, STR(""));
    for (size_t i = 0; words && i < words->n; i++)
        if (str_eq(words->items[i].string, *out))
            return true;
    return false;
}

static bool read_result(const struct json *j, const struct json *dtypes, struct leaf *out)
{
    const struct json *shape = json_get(j, "shape");
    if (!read_word(j, "dtype", dtypes, &out->dtype) || !shape || shape->kind != JSON_KIND_ARRAY ||
        shape->n > CALL_DIMS_MAX)
        return false;
    out->rank = (unsigned)shape->n;
    for (size_t i = 0; i < shape->n; i++) {
        if (shape->items[i].kind != JSON_KIND_INTEGER || shape->items[i].integer < 0)
            return false;
        out->dims[i] = (size_t)shape->items[i].integer;
    }
    return true;
}

static bool read_results(const struct json *j, const struct json *properties,
                         struct prediction *out)
{
    const struct json *list = json_get(j, "results");
    const struct json *result = json_get(json_get(properties, "results"), "items");
    const struct json *dtypes = words_of(json_get(result, "properties"), "dtype");
    if (!list || list->kind != JSON_KIND_ARRAY || list->n > CALL_LEAVES_MAX)
        return false;
    for (out->n_leaves = 0; out->n_leaves < list->n; out->n_leaves++)
        if (!read_result(&list->items[out->n_leaves], dtypes, &out->leaves[out->n_leaves]))
            return false;
    return true;
}

/* A score of 0 to 100. */
static bool read_score(const struct json *j, double *out)
{
    double score = json_get_double(j, "confidence", -1);
    *out = score / 100;
    return score >= 0 && score <= 100;
}

static bool read_vote(const struct json *words, const struct json *j, struct vote *out)
{
    const struct json *properties = json_get(json_get(words, "schema"), "properties");
    struct str outcome;
    if (!read_word(j, "outcome", words_of(properties, "outcome"), &outcome) ||
        !read_word(j, "exception", words_of(properties, "exception"), &out->exception) ||
        !read_results(j, properties, &out->says) || !read_score(j, &out->score))
        return false;
    out->says.is = str_is(outcome, "works") ? OUTCOME_KIND_OK : OUTCOME_KIND_RAISED;
    out->says.is_given = true;
    return true;
}

static bool is_cut(const struct llm_reply *reply)
{
    return str_is(reply->stop, "length") || str_is(reply->stop, "max_tokens");
}

void vote_read(const struct json *words, const struct llm_reply *reply, struct str document,
               struct arena *a, struct vote *out)
{
    const struct json *j;
    struct err unread;
    *out = (struct vote){.status = reply ? REPLY_NO_JSON : REPLY_MISSING};
    if (!reply)
        return;
    struct str text = llm_extract_json(reply->text);
    if (reply->is_refusal)
        out->status = REPLY_REFUSED;
    else if (!text.n && is_cut(reply))
        out->status = REPLY_CUT;
    else if (!text.n || !json_parse(text, "reply", a, &j, &unread))
        out->status = REPLY_NO_JSON;
    else if (!read_vote(words, j, out))
        *out = (struct vote){.status = REPLY_OFF_SCHEMA};
    else
        out->status = quote_stands(json_get_str(j, "quote", STR("")), document) ? REPLY_USABLE
                                                                                : REPLY_NO_QUOTE;
}

/* Quotes --------------------------------------------------------------------------------------*/

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Does the text begin with the quote, each run of white space of both taken as one blank? */
static bool begins_with(struct str text, struct str quote)
{
    size_t i = 0, k = 0;
    while (k < quote.n) {
        if (i == text.n || is_blank(text.at[i]) != is_blank(quote.at[k]) ||
            (!is_blank(quote.at[k]) && text.at[i] != quote.at[k]))
            return false;
        bool blank = is_blank(quote.at[k]);
        i++;
        k++;
        while (blank && i < text.n && is_blank(text.at[i]))
            i++;
        while (blank && k < quote.n && is_blank(quote.at[k]))
            k++;
    }
    return true;
}

bool quote_stands(struct str quote, struct str document)
{
    quote = str_trim(quote);
    for (size_t at = 0; quote.n >= QUOTE_MIN && at < document.n; at++)
        if (begins_with(str_sub(document, at, document.n), quote))
            return true;
    return false;
}

/* Groups --------------------------------------------------------------------------------------*/

static bool is_vote(const struct vote *v, bool with_quote)
{
    return v->status == REPLY_USABLE || (!with_quote && v->status == REPLY_NO_QUOTE);
}

static bool is_equal(const struct vote *x, const struct vote *y)
{
    bool same = x->says.is == y->says.is && str_eq(x->exception, y->exception) &&
                x->says.n_leaves == y->says.n_leaves;
    for (size_t i = 0; same && i < x->says.n_leaves; i++)
        same = leaf_equal(&x->says.leaves[i], &y->says.leaves[i]);
    return same;
}

void votes_count(const struct vote *at, size_t n, bool with_quote, struct counted_votes *out)
{
    size_t most = 0;
    *out = (struct counted_votes){.exception = STR("")};
    for (size_t i = 0; i < n; i++) {
        size_t n_equal = 0;
        double score = 0;
        for (size_t k = 0; is_vote(&at[i], with_quote) && k < n; k++)
            if (is_vote(&at[k], with_quote) && is_equal(&at[i], &at[k])) {
                n_equal++;
                score += at[k].score;
            }
        if (n_equal <= most)
            continue;
        most = n_equal;
        *out = (struct counted_votes){.says = at[i].says,
                                      .exception = at[i].exception,
                                      .confidence = (double)n_equal / (double)n,
                                      .score = score / (double)n_equal};
    }
}
