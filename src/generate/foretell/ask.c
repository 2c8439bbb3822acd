/*
 * Decides what a prompt about a changed call says, and which sentences of its document. Must not
 * know models, nor what becomes of an answer. Invariant: nothing of the document stands outside the
 * marks, and nothing of the result of the changed call in the prompt.
 */
#include "generate/foretell/ask.h"

#include "base/share.h"
#include "documents/sentence.h"
#include "generate/foretell/mined.h"
#include "generate/marked.h"

bool ask_words(struct arena *a, const struct json **out, struct err *e)
{
    return share_json("prompts/foretell.json", a, out, e);
}

/* The document --------------------------------------------------------------------------------*/

static bool has_word(struct str text, struct str word)
{
    for (size_t at = 0; word.n && at + word.n <= text.n; at++) {
        size_t end = at + word.n;
        if (memcmp(text.at + at, word.at, word.n) == 0 &&
            (at == 0 || !str_is_word(text.at[at - 1])) &&
            (end == text.n || !str_is_word(text.at[end])))
            return true;
    }
    return false;
}

/* 0: kept first. */
static unsigned rank_of(const struct sentences *all, size_t i, struct str name)
{
    return has_word(all->at[i].text, name) ? 0 : i == 0 ? 1 : all->at[i].constraint ? 2 : 3;
}

/* Marks the sentences that fit into `room` bytes, by rank and then as they stand. */
static void choose(const struct sentences *all, struct str name, size_t room, bool *kept)
{
    enum { RANKS = 4 };
    for (unsigned rank = 0; rank < RANKS; rank++)
        for (size_t i = 0; i < all->n; i++) {
            size_t n = all->at[i].text.n + 1;
            if (rank_of(all, i, name) != rank || n > room)
                continue;
            kept[i] = true;
            room -= n;
        }
}

static void put_signature(const struct api_record *r, struct strbuf *out)
{
    strbuf_addstr(out, r->name);
    strbuf_adds(out, r->has_signature ? "(" : "");
    for (size_t i = 0; r->has_signature && i < r->n_parameters; i++) {
        const struct api_parameter *p = &r->parameters[i];
        strbuf_printf(out, "%s" STR_FMT "%s" STR_FMT, i ? ", " : "", STR_ARG(p->name),
                      p->has_default ? "=" : "", STR_ARG(p->value));
    }
    strbuf_adds(out, r->has_signature ? ")\n" : "\n");
}

static struct str document_of(const struct json *words, const struct situation *s, struct arena *a)
{
    struct sentences all;
    struct strbuf text = {0};
    if (!s->record)
        return (struct str){0};
    sentences_of(s->record->doc, a, &all);
    bool *kept = arena_new_array(a, bool, all.n + 1);
    choose(&all, situation_name(s, s->change->at), (size_t)json_get_i64(words, "document_max", 700),
           kept);
    put_signature(s->record, &text);
    for (size_t i = 0; i < all.n; i++)
        if (kept[i])
            strbuf_printf(&text, STR_FMT "\n", STR_ARG(all.at[i].text));
    struct str document = all.n ? strbuf_dup(&text, a) : (struct str){0};
    strbuf_done(&text);
    return document;
}

/* The prompt ----------------------------------------------------------------------------------*/

static void put_words(const struct json *words, const char *key, struct strbuf *out)
{
    strbuf_addstr(out, json_get_str(words, key, STR("")));
}

static void put_leaves(const struct json *words, const struct call_outcome *o, struct strbuf *out)
{
    if (!o->n_leaves)
        put_words(words, "nothing", out);
    for (size_t i = 0; i < o->n_leaves; i++) {
        strbuf_printf(out, "%s" STR_FMT "[", i ? ", " : "", STR_ARG(o->leaves[i].dtype));
        for (unsigned k = 0; k < o->leaves[i].rank; k++)
            strbuf_printf(out, "%s%zu", k ? ", " : "", o->leaves[i].dims[k]);
        strbuf_addc(out, ']');
    }
}

static void put_calls(const struct json *words, const struct situation *s, struct strbuf *out)
{
    put_words(words, "before", out);
    strbuf_addc(out, ' ');
    put_leaves(words, &s->seed->before, out);
    strbuf_adds(out, ":\n");
    api_call_print(s->seed, CALL_TENSORS_TYPED, out);
    strbuf_addc(out, '\n');
    put_words(words, "changed", out);
    strbuf_addc(out, '\n');
    api_call_print(s->changed, CALL_TENSORS_TYPED, out);
    strbuf_addc(out, '\n');
}

static const char *schema_of(const struct json *words, struct arena *a)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_put_json(&w, json_get(words, "schema"));
    const char *schema = str_dup(a, strbuf_str(&text));
    strbuf_done(&text);
    return schema;
}

void ask_make(const struct json *words, const struct situation *s, struct arena *a, struct ask *out)
{
    struct strbuf text = {0};
    struct str document = document_of(words, s, a);
    marked_put(document, "document", &text);
    put_calls(words, s, &text);
    *out = (struct ask){.request = {.instruction = json_get_str(words, "system", STR("")),
                                    .prompt = strbuf_dup(&text, a),
                                    .max_tokens = (uint32_t)json_get_i64(words, "max_tokens", 128),
                                    .temperature = json_get_double(words, "temperature", 0.7),
                                    .schema = schema_of(words, a)},
                        .document = document};
    strbuf_done(&text);
}
