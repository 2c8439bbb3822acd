/*
 * Decides which prompt an index gets, and what of the model's reply becomes a program. As in the
 * paper, each example of a cluster has a header of comments, and one rule's instruction ends the
 * prompt. The words are data (share/prompts/). Must not know where a reply comes
 * from. A reply is a program to be run in the sandbox and nothing else.
 */
#include "base/compiler.h"
#include "base/share.h"
#include "generate/corpus/repair.h"
#include "generate/diffuse/diffuse_p.h"

static const char file[] = "prompts/diffuse.json";

enum { EXAMPLE_MAX = 1600, PROMPT_MAX = 6000, FIELD_MAX = 160 };

bool prompts__open(struct arena *a, struct prompts *out, struct err *e)
{
    const struct json *root;
    if (!share_json(file, a, &root, e) || !json_need_str(root, "system", &out->instruction, e) ||
        !json_need(root, "labels", JSON_KIND_OBJECT, &out->labels, e) ||
        !json_need(root, "rules", JSON_KIND_ARRAY, &out->rules, e) ||
        !json_need_str(root, "without_rules", &out->without_rules, e))
        return false;
    out->max_tokens = (uint32_t)json_get_i64(root, "max_tokens", 400);
    out->temperature = json_get_double(root, "temperature", 0);
    return true;
}

/* The first line of what a header may show of a seed. */
static struct str field_of(const struct diffuse_seed *s, struct str name)
{
    const struct {
        const char *name;
        struct str text;
    } rows[] = {{"model", s->model},        {"api", s->api},
                {"data", s->data},          {"triggered", s->record->error},
                {"from", s->from},          {"reason", s->record->text},
                {"title", s->record->title}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_is(name, rows[i].name))
            return str_sub(rows[i].text, 0, MIN(str_find_byte(rows[i].text, '\n'), FIELD_MAX));
    return STR("");
}

static void put_example(const struct prompts *p, const struct diffuse_strategy *how,
                        const struct diffuse_seed *s, struct strbuf *out)
{
    for (size_t i = 0; i < how->header->n; i++) {
        struct str name = how->header->items[i].string, text = field_of(s, name);
        if (text.n)
            strbuf_printf(out, "# " STR_FMT ": " STR_FMT "\n",
                          STR_ARG(json_get_str(p->labels, name.at, name)), STR_ARG(text));
    }
    strbuf_printf(out, "```python\n" STR_FMT "%s```\n\n", STR_ARG(s->text),
                  str_ends(s->text, STR("\n")) ? "" : "\n");
}

/* The examples of a prompt: a cluster, or seeds drawn from all. Long ones are left out. */
static void put_examples(const struct prompts *p, const struct diffuse_strategy *how,
                         const struct prompt_place *at, struct strbuf *out)
{
    struct rng r = at->rng;
    size_t n = how->random_companions ? MIN(how->n_examples, at->seeds->at.n) : at->cluster->n;
    for (size_t i = 0; i < n; i++) {
        uint64_t own =
            how->random_companions ? rng_below(&r, at->seeds->at.n) : at->cluster->members[i];
        const struct diffuse_seed *s = &at->seeds->at.at[own];
        if (s->text.n <= EXAMPLE_MAX && out->n + s->text.n <= PROMPT_MAX)
            put_example(p, how, s, out);
    }
}

struct str prompts__rule(const struct prompts *p, const struct diffuse_strategy *how,
                         const struct prompt_place *at)
{
    return how->prompt_rules
               ? json_get_str(&p->rules->items[at->rule % p->rules->n], "name", STR(""))
               : STR("example");
}

void prompts__request(const struct prompts *p, const struct diffuse_strategy *how,
                      const struct prompt_place *at, struct arena *a, struct llm_request *out)
{
    struct strbuf text = {0};
    const struct filling f = {"api", at->seeds->at.at[at->cluster->members[0]].api};
    put_examples(p, how, at, &text);
    strbuf_addstr(&text, how->prompt_rules
                             ? diffuse__fill(json_get_str(&p->rules->items[at->rule % p->rules->n],
                                                          "instruction", STR("")),
                                             &f, 1, a)
                             : p->without_rules);
    strbuf_addc(&text, '\n');
    *out = (struct llm_request){.instruction = p->instruction,
                                .prompt = strbuf_dup(&text, a),
                                .max_tokens = p->max_tokens,
                                .temperature = p->temperature,
                                .sample = at->sample};
    strbuf_done(&text);
}

struct str prompts__program(struct reader *reader, struct str reply, struct arena *a)
{
    struct str rest = reply, code;
    struct reading r;
    while (rest.n) {
        code = program_repair(reader, llm_extract_code(rest, &rest, a), a);
        if (code.n && reading_make(reader, code, a, &r) && !r.tree.damage.n)
            return code;
    }
    return (struct str){0};
}
