/* assay bugs: the list of what was found. */
#include "base/compiler.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "hunt/hunt.h"
#include "report/report.h"

/* The line that all lists share; for a known bug also the reason of its entry. */
static void add_line(const struct store_bug *bug, struct strbuf *text)
{
    report_bug_line(bug, text);
    if (store_bug_is_known(bug)) {
        strbuf_adds(text, ": ");
        strbuf_add_line(text, bug->reason);
    }
    strbuf_addc(text, '\n');
}

static void print_text(const struct store_bugs *bugs, const struct hunt_remains *remains)
{
    struct strbuf text = {0};
    size_t n_in_doubt = 0, n_known = 0;
    for (size_t i = 0; i < bugs->n; i++) {
        add_line(&bugs->at[i], &text);
        n_known += store_bug_is_known(&bugs->at[i]);
        n_in_doubt += store_bug_needs_opinion(&bugs->at[i]);
    }
    size_t n = bugs->n - n_in_doubt;
    strbuf_printf(&text, n == 1 ? "%zu bug" : "%zu bugs", n);
    if (n_known > 0)
        strbuf_printf(&text, ", %zu of them known", n_known);
    if (n_in_doubt > 0)
        strbuf_printf(&text, "; %zu need%s a second opinion", n_in_doubt,
                      n_in_doubt == 1 ? "s" : "");
    hunt_remains_print(remains, &text);
    strbuf_addc(&text, '\n');
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static bool print_json(const struct settings *s, struct store *store,
                       const struct campaign_place *place, const struct store_bugs *bugs,
                       struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    bool ok = true;
    json_begin_array(&w);
    for (size_t i = 0; ok && i < bugs->n; i++) {
        struct report_bug bug;
        ok = report_bug_load(store, &bugs->at[i], place->out, s->arena, &bug, e);
        if (ok)
            report_bug_json(&bug, false, &w);
    }
    json_end_array(&w);
    strbuf_addc(&text, '\n');
    if (ok)
        out_put(strbuf_str(&text));
    strbuf_done(&text);
    return ok;
}

/* Removes the bugs that the flags exclude. */
static void filter(const struct settings *s, struct store_bugs *bugs)
{
    const char *op = settings_text(s, SETTING_bugs_op);
    size_t n = 0;
    for (size_t i = 0; i < bugs->n; i++) {
        const struct store_bug *b = &bugs->at[i];
        const struct {
            enum setting_id id;
            struct str field;
        } rows[] = {{SETTING_bugs_severity, b->severity},
                    {SETTING_bugs_state, b->state},
                    {SETTING_bugs_engine, b->engine},
                    {SETTING_bugs_pass, b->pass}};
        bool wanted = !op || str_has_part(b->ops, ' ', str_of(op));
        for (size_t k = 0; k < COUNT_OF(rows); k++)
            wanted &= !settings_text(s, rows[k].id) ||
                      str_is(rows[k].field, settings_text(s, rows[k].id));
        if (wanted)
            bugs->at[n++] = *b;
    }
    bugs->n = n;
}

/* All bugs, or those whose id begins with the argument; at least one must. */
static bool find_bugs(const struct settings *s, struct store *store, struct store_bugs *out,
                      struct err *e)
{
    struct store_bug none;
    struct str id = str_of(s->n_args ? s->args[0] : "");
    if (!store_bugs(store, id, s->arena, out, e))
        return false;
    return s->n_args == 0 || out->n > 0 || store_bug(store, id, s->arena, &none, e);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct store_bugs bugs;
    struct known_list known;
    (void)exit_code;
    if (s->n_args > 1)
        return err_set(e, ERR_USAGE, "at most one id prefix is expected, got %zu arguments",
                       s->n_args);
    if (!campaign_known(s, &known, e) || !campaign_open(s, STORE_READ, &place, &store, e))
        return false;
    struct hunt_remains remains;
    bool ok = find_bugs(s, store, &bugs, e) && hunt_remains_of(store, &remains, e);
    if (ok) {
        known_mark(&known, &bugs);
        filter(s, &bugs);
    }
    if (ok && settings_want_json(s))
        ok = print_json(s, store, &place, &bugs, e);
    else if (ok)
        print_text(&bugs, &remains);
    if (ok)
        campaign_say_known(&known, &bugs);
    store_close(store);
    return ok;
}

const struct command command_bugs = {
    .name = "bugs",
    .arguments = "[ID]",
    .summary = "list the bugs that were found, gravest first",
    .details =
        "Each line: severity, id, target, operators of the reduced graph, what is wrong, "
        "how often the reproducer\n"
        "fails, its size, and its state unless confirmed. A bug that needs a second "
        "opinion is no finding: its\n"
        "reduced case cannot show which engine is wrong. A bug that the file of known defects "
        "names (--known) is marked so,\n"
        "with its reason. --json gives an array of objects for other tools.",
    .examples = "  assay bugs\n  assay bugs --out campaign --json",
    .run = run,
};
