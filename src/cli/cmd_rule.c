/* assay rule: explains rules; and tests rules, ours and the user's. */
#include <ctype.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/lint_options.h"
#include "lint/rule_test.h"

static void put_json(const struct rule *r, struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "code", r->code);
    json_pair_str(w, "name", r->name);
    json_pair_u64(w, "pattern", r->pattern);
    json_pair_cstr(w, "severity", finding_severity_name(r->severity));
    json_pair_bool(w, "default", r->is_default);
    json_pair_str(w, "summary", r->summary);
    json_pair_str(w, "explanation", r->explanation);
    json_pair_str(w, "fix", r->fix);
    json_pair_str(w, "why_off", r->why_off);
    json_pair_str(w, "file", r->file);
    json_end_object(w);
}

static bool is_json(const struct settings *s)
{
    const char *format = settings_text(s, SETTING_lint_format_short);
    return settings_flag(s, SETTING_json) || (format && strcmp(format, "json") == 0);
}

/* Does the user's word mean the rule? It is a code or the beginning of codes, in upper or lower
 * case, or a name. */
static bool is_asked(const struct rule *r, struct str word)
{
    if (str_eq(r->name, word))
        return true;
    bool fits = word.n > 0 && word.n <= r->code.n;
    for (size_t i = 0; fits && i < word.n; i++)
        fits = toupper((unsigned char)word.at[i]) == r->code.at[i];
    return fits;
}

static bool find_asked(const struct rule_set *rules, const char *word, struct arena *a,
                       const struct rule ***out, size_t *n_found, struct err *e)
{
    size_t n;
    const struct rule *list = rule_list(rules, &n);
    const char **names = arena_new_array(a, const char *, 2 * n + 1);
    *out = arena_new_array(a, const struct rule *, n + 1);
    *n_found = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_asked(&list[i], str_of(word)))
            (*out)[(*n_found)++] = &list[i];
        names[2 * i] = str_dup(a, list[i].code);
        names[2 * i + 1] = str_dup(a, list[i].name);
    }
    const char *near = str_nearest(str_of(word), names, 2 * n);
    return *n_found || err_set(e, ERR_USAGE, "no rule \"%s\"%s%s%s; assay rule lists all", word,
                               near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
}

/* What is shown of the rules. */
enum view { VIEW_LINE, VIEW_WHOLE, VIEW_PAGE, VIEW_JSON };

static void put_rule(const struct rule *r, enum view view, struct json_out *w, struct strbuf *text)
{
    switch (view) {
    case VIEW_LINE:
        strbuf_printf(text, STR_FMT "  %-3s  " STR_FMT "\n", STR_ARG(r->code),
                      r->is_default ? "on" : "off", STR_ARG(r->summary));
        break;
    case VIEW_WHOLE:
        rule_explain(r, text);
        break;
    case VIEW_PAGE:
        rule_page(r, text);
        break;
    case VIEW_JSON:
        put_json(r, w);
        break;
    }
}

static void put_out(enum view view, struct strbuf *text)
{
    if (view == VIEW_JSON)
        strbuf_addc(text, '\n');
    out_put(strbuf_str(text));
    strbuf_done(text);
}

static void print_list(const struct settings *s, const struct rule_set *rules)
{
    size_t n;
    const struct rule *list = rule_list(rules, &n);
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    bool all = settings_flag(s, SETTING_rule_all);
    enum view view = is_json(s) ? VIEW_JSON : all ? VIEW_WHOLE : VIEW_LINE;
    if (view == VIEW_JSON)
        json_begin_array(&w);
    for (size_t i = 0; i < n; i++) {
        put_rule(&list[i], view, &w, &text);
        if (view == VIEW_WHOLE)
            strbuf_adds(&text, "\n----\n\n");
    }
    if (view == VIEW_JSON)
        json_end_array(&w);
    put_out(view, &text);
}

/* Shows the rules that the user's word names: one in full, several with one line each. */
static bool print_asked(const struct settings *s, const struct rule_set *rules, const char *word,
                        struct err *e)
{
    const struct rule **found;
    size_t n;
    if (!find_asked(rules, word, s->arena, &found, &n, e))
        return false;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    bool is_page = settings_flag(s, SETTING_rule_markdown);
    bool is_whole = n == 1 || settings_flag(s, SETTING_rule_all);
    enum view view = is_page ? VIEW_PAGE : is_whole ? VIEW_WHOLE : VIEW_LINE;
    view = is_json(s) ? VIEW_JSON : view;
    if (view == VIEW_JSON && n > 1)
        json_begin_array(&w);
    for (size_t i = 0; i < n; i++)
        put_rule(found[i], view, &w, &text);
    if (view == VIEW_JSON && n > 1)
        json_end_array(&w);
    put_out(view, &text);
    return true;
}

/* assay rule test [DIR]: the examples of all rules, and the cases of the folder. */
static bool test_rules(const struct settings *s, struct rule_set *rules, int *exit_code,
                       struct err *e)
{
    struct rule_test_result r = {0};
    bool ok = rule_test_examples(rules, &r, e);
    for (size_t i = 1; ok && i < s->n_args; i++)
        ok = rule_test_folder(rules, s->args[i], &r, e);
    if (ok) {
        out_put(strbuf_str(&r.failures));
        out_putf("%llu passed, %llu failed\n", (unsigned long long)r.n_passed,
                 (unsigned long long)r.n_failed);
        *exit_code = r.n_failed ? EXIT_FOUND : EXIT_DONE;
    }
    strbuf_done(&r.failures);
    return ok;
}

/* Does the folder hold rule files of its own? */
static bool holds_rules(const char *dir, struct arena *a)
{
    struct file_list list;
    struct err e = {0};
    bool holds = false;
    if (file_stat(dir).kind != FILE_DIRECTORY || !file_list_dir(dir, a, &list, &e))
        return false;
    for (size_t i = 0; i < list.n; i++)
        holds = holds || (str_ends(str_of(list.names[i]), STR(".json")) &&
                          list.names[i][0] >= 'A' && list.names[i][0] <= 'Z');
    return holds;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct rule_set *rules;
    struct rule_set_options o = {0};
    bool is_test = s->n_args && strcmp(s->args[0], "test") == 0, ok = true;
    o.dirs = lint_rule_folders(s, &o.n_dirs);
    if (is_test && s->n_args == 2 && holds_rules(s->args[1], s->arena)) {
        o.dirs = &s->args[1];
        o.n_dirs = 1;
    }
    if (!rule_set_new(&o, &rules, e))
        return false;
    if (is_test)
        ok = test_rules(s, rules, exit_code, e);
    else if (!s->n_args)
        print_list(s, rules);
    for (size_t i = 0; ok && !is_test && i < s->n_args; i++)
        ok = print_asked(s, rules, s->args[i], e);
    rule_set_free(rules);
    return ok;
}

const struct command command_rule = {
    .name = "rule",
    .arguments = "[CODE | NAME ...] | test [DIR]",
    .summary = "explain the rules of lint, or test rules",
    .details =
        "Without a code, lists all rules, one per line; --all explains each. A rule's name, or\n"
        "the beginning of codes (sb03), may be given too. `test` runs the\n"
        "examples of all rules and, with DIR, the cases in folders named as codes: in\n"
        "fires_*.py each line that must give a finding ends in \"# expect: CODE\", and\n"
        "silent_*.py must give none. Rule files in DIR itself are loaded too.",
    .examples = "assay rule SB032            # why, bad, good, fix\n"
                "assay rule test my-rules    # tests rules of your own",
    .fails_with_two = true,
    .run = run,
};
