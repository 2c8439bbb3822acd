/*
 * Decides what a strategy of diffuse means: weights of the rules, who the companions are, what a
 * prompt shows. All of it is data (share/diffuse/strategies.json). Must not know seeds.
 */
#include "base/compiler.h"
#include "base/share.h"
#include "generate/diffuse/diffuse_p.h"

static const char file[] = "diffuse/strategies.json";

static bool read_weights(const struct json *row, struct diffuse_strategy *out, struct err *e)
{
    size_t n;
    const struct rule_row *rules = diffuse__rules(&n);
    const char *known[RULES_MAX];
    const struct json *weights;
    for (size_t i = 0; i < n; i++)
        known[i] = rules[i].name;
    if (!json_need(row, "weights", JSON_KIND_OBJECT, &weights, e) ||
        !json_check_keys(weights, known, n, e))
        return false;
    out->has_rules = weights->n > 0;
    for (size_t i = 0; i < n; i++)
        out->weights[i] = json_get_double(weights, known[i], 0);
    return true;
}

static bool read_row(const struct json *row, struct diffuse_strategy *out, struct err *e)
{
    const struct json *prompt;
    if (!json_need(row, "prompt", JSON_KIND_OBJECT, &prompt, e) || !read_weights(row, out, e))
        return false;
    out->name = json_get_str(row, "name", STR(""));
    out->random_companions = str_is(json_get_str(row, "companions", STR("")), "random");
    out->learns = json_get_bool(row, "learns", false);
    out->in_turn = json_get_bool(row, "in_turn", false);
    out->optimizer = json_get_str(row, "optimizer", STR(""));
    out->runs_seeds = json_get_bool(row, "seeds", false);
    out->prompt_every = (uint64_t)MAX(json_get_i64(prompt, "every", 1), (int64_t)1);
    out->n_examples = (size_t)json_get_i64(prompt, "examples", CLUSTER_SIZE_MAX);
    out->prompt_rules = json_get_bool(prompt, "rules", true);
    out->header = json_get(prompt, "header");
    return true;
}

bool diffuse__strategy(const char *name, struct arena *a, struct diffuse_strategy *out,
                       struct err *e)
{
    const struct json *root, *rows;
    const char *known[16];
    size_t n = 0;
    *out = (struct diffuse_strategy){0};
    if (!share_json(file, a, &root, e) || !json_need(root, "strategies", JSON_KIND_ARRAY, &rows, e))
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        struct str own = json_get_str(&rows->items[i], "name", STR(""));
        if (str_is(own, name))
            return read_row(&rows->items[i], out, e) || err_wrap(e, "%s", file);
        if (n < COUNT_OF(known))
            known[n++] = own.at;
    }
    return err_set(e, ERR_USAGE, "the generator diffuse has no strategy \"%s\"%s", name,
                   str_known(str_of(name), known, n, a));
}
