/*
 * Decides what a prompt says, and in which order. Must not know models, nor what becomes of an
 * answer. Follows the paper's distinction (CrossProbe, section 3.4) and its Basic CoT (listing 1).
 */
#include "generate/transfer/question.h"

#include "base/compiler.h"
#include "base/share.h"
#include "generate/marked.h"
#include "generate/transfer/distinction.h"

enum { PROGRAM_MAX = 6000, ANSWER_MAX = 2000, DETAIL_MAX = 300 };

bool question_words(struct arena *a, const struct json **out, struct err *e)
{
    return share_json("prompts/transfer.json", a, out, e);
}

struct str question_title(const struct json *words, struct str framework)
{
    const struct json *title = json_member(json_get(words, "titles"), framework);
    return title ? title->string : framework;
}

struct filling {
    const char *name;
    struct str text;
};

/* The template with "{name}" replaced. */
static void put_filled(struct str template, const struct filling *f, size_t n, struct strbuf *out)
{
    while (template.n) {
        size_t open = str_find_byte(template, '{');
        strbuf_addstr(out, str_sub(template, 0, open));
        template = str_sub(template, open, template.n);
        size_t close = str_find_byte(template, '}'), k = 0;
        while (k < n && !str_is(str_sub(template, 1, close), f[k].name))
            k++;
        if (k < n && close < template.n)
            strbuf_addstr(out, f[k].text);
        else
            strbuf_addstr(out, str_sub(template, 0, MIN(close + 1, template.n)));
        template = str_sub(template, close + 1, template.n);
    }
}

/* One of the words, with the names of the frameworks and of the failure. */
static void put_words(const struct question *q, const char *key, struct strbuf *out)
{
    struct str detail = str_sub(q->detail, 0, DETAIL_MAX);
    const struct filling f[] = {{"source", question_title(q->words, str_of(q->translator->source))},
                                {"target", question_title(q->words, q->translator->target)},
                                {"failure", q->failure},
                                {"detail", detail}};
    put_filled(json_get_str(q->words, key, STR("")), f, COUNT_OF(f), out);
}

void question_make(const struct question *q, struct reader *reader, struct arena *a,
                   struct question_request *out)
{
    struct strbuf text = {0}, knowledge = {0}, instruction = {0};
    struct distinctions found = {0};
    struct str program = str_sub(q->program, 0, PROGRAM_MAX);
    bool with_knowledge = !q->translator->without.distinction;
    if (with_knowledge)
        distinctions_find(q->translator, reader, q->program, a, &found);
    put_words(q, "system", &instruction);
    put_words(q, "program", &text);
    strbuf_addc(&text, '\n');
    marked_put(program, "program", &text);
    if (found.list.n) {
        put_words(q, "knowledge", &knowledge);
        strbuf_addc(&knowledge, '\n');
        distinctions_put(&found, q->translator, a, &knowledge);
    }
    put_words(q, with_knowledge ? "steps" : "basic", &knowledge);
    strbuf_printf(&text, "\n" STR_FMT "\n", STR_ARG(strbuf_str(&knowledge)));
    if (q->failure.n) {
        strbuf_addc(&text, '\n');
        put_words(q, "again", &text);
        strbuf_addc(&text, '\n');
        marked_put(str_sub(q->answer, 0, ANSWER_MAX), "answer", &text);
        put_words(q, "again_end", &text);
        strbuf_addc(&text, '\n');
    }
    *out = (struct question_request){
        .request = {.instruction = strbuf_dup(&instruction, a),
                    .prompt = strbuf_dup(&text, a),
                    .max_tokens = (uint32_t)json_get_i64(q->words, "max_tokens", 500),
                    .temperature = json_get_double(q->words, "temperature", 0)},
        .n_knowledge = knowledge.n + instruction.n,
        .n_code = program.n};
    strbuf_done(&text);
    strbuf_done(&knowledge);
    strbuf_done(&instruction);
}
