/*
 * Turns prefixes of codes into sets of rules. Does not know what rules do.
 */
#include "lint/select.h"

#include "base/path.h"
#include "lint/rule_p.h"

struct selection {
    const struct rule_set *rules;
    bool *enabled, *fixable;
    const struct path_ignore *per_file;
    size_t n_per_file;
    const char *folder;
};

static bool is_prefix(struct str prefix, struct str code)
{
    return str_is(prefix, "ALL") || str_starts(code, prefix);
}

/* The length of the longest prefix in the list that fits; -1: none. */
static int longest(const struct code_list *l, struct str code)
{
    int best = -1;
    for (size_t i = 0; i < l->n; i++) {
        struct str prefix = str_of(l->at[i]);
        int length = str_is(prefix, "ALL") ? 0 : (int)prefix.n;
        if (is_prefix(prefix, code) && length > best)
            best = length;
    }
    return best;
}

static bool check_codes(const struct rule_set *rules, const struct code_list *l, const char *what,
                        struct err *e)
{
    size_t n;
    const struct rule *list = rule_list(rules, &n);
    for (size_t i = 0; i < l->n; i++) {
        bool known = false;
        for (size_t k = 0; k < n && !known; k++)
            known = l->at[i][0] && is_prefix(str_of(l->at[i]), list[k].code);
        if (known)
            continue;
        const char *names[200];
        size_t n_names = 0;
        for (size_t k = 0; k < n && n_names < COUNT_OF(names); k++)
            names[n_names++] = list[k].code.at;
        const char *near = str_nearest(str_of(l->at[i]), names, n_names);
        return err_set(e, ERR_USAGE, "%s: no rule has a code that begins with \"%s\"%s%s%s", what,
                       l->at[i], near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
    }
    return true;
}

static bool is_enabled(const struct choice *c, const struct rule *r)
{
    int selected = c->select.n ? longest(&c->select, r->code) : r->is_default ? 0 : -1;
    selected = MAX(selected, longest(&c->extend_select, r->code));
    return selected >= 0 && longest(&c->ignore, r->code) < MAX(selected, 1);
}

bool selection_new(const struct rule_set *rules, const struct choice *c, struct arena *a,
                   struct selection **out, struct err *e)
{
    size_t n;
    const struct rule *list = rule_list(rules, &n);
    struct selection *s = arena_new(a, struct selection);
    const struct {
        const struct code_list *list;
        const char *what;
    } lists[] = {{&c->select, "--select"},
                 {&c->ignore, "--ignore"},
                 {&c->extend_select, "--extend-select"},
                 {&c->fixable, "--fixable"},
                 {&c->unfixable, "--unfixable"}};
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (!check_codes(rules, lists[i].list, lists[i].what, e))
            return false;
    for (size_t i = 0; i < c->n_per_file; i++)
        if (!check_codes(rules, &c->per_file[i].codes, "--per-file-ignores", e))
            return false;
    *s = (struct selection){
        .rules = rules, .per_file = c->per_file, .n_per_file = c->n_per_file, .folder = c->folder};
    s->enabled = arena_new_array(a, bool, n);
    s->fixable = arena_new_array(a, bool, n);
    for (size_t i = 0; i < n; i++) {
        s->enabled[i] = is_enabled(c, &list[i]);
        s->fixable[i] = (!c->fixable.n || longest(&c->fixable, list[i].code) >= 0) &&
                        longest(&c->unfixable, list[i].code) < 0;
    }
    *out = s;
    return true;
}

static size_t index_of(const struct selection *s, const struct rule *r)
{
    size_t n;
    return (size_t)(r - rule_list(s->rules, &n));
}

bool selection_has(const struct selection *s, const struct rule *r)
{
    return s->enabled[index_of(s, r)];
}

bool selection_can_fix(const struct selection *s, const struct rule *r)
{
    return s->fixable[index_of(s, r)];
}

static bool is_ignored_in(const struct selection *s, const struct rule *r, struct str path)
{
    struct arena work;
    bool is_ignored = false;
    const char *whole = NULL;
    arena_init(&work);
    for (size_t i = 0; i < s->n_per_file && !is_ignored; i++) {
        if (longest(&s->per_file[i].codes, r->code) < 0)
            continue;
        if (!whole)
            whole = path_absolute(&work, s->folder, str_dup(&work, path));
        is_ignored = path_glob_fits(&s->per_file[i].glob, str_of(whole));
    }
    arena_done(&work);
    return is_ignored;
}

bool selection_has_in(const struct selection *s, const struct rule *r, struct str path)
{
    return selection_has(s, r) && !(s->n_per_file && is_ignored_in(s, r, path));
}

/* ---- globs ---- */

/* Is each '[' closed? A ']' as the first byte of a set is a member. */
static bool has_whole_sets(struct str pattern)
{
    for (size_t i = 0; i < pattern.n; i++) {
        if (pattern.at[i] != '[')
            continue;
        i++;
        i += i < pattern.n && (pattern.at[i] == '!' || pattern.at[i] == '^');
        i++;
        while (i < pattern.n && pattern.at[i] != ']')
            i++;
        if (i >= pattern.n)
            return false;
    }
    return true;
}

bool path_glob_new(const char *folder, const char *text, struct arena *a, struct path_glob *out,
                   struct err *e)
{
    struct str rest = str_of(text), at = str_of(folder);
    if (!has_whole_sets(rest))
        return err_set(e, ERR_USAGE, "a glob with an unclosed \"[\": %s", text);
    while (rest.n > 1 && rest.at[rest.n - 1] == '/')
        rest.n--;
    if (rest.n && rest.at[0] == '/')
        at = STR("/");
    while (str_starts(rest, STR("./")) || str_starts(rest, STR("../")) ||
           str_starts(rest, STR("/"))) {
        bool is_up = str_starts(rest, STR("../"));
        rest = str_sub(rest, str_find_byte(rest, '/') + 1, rest.n);
        at = is_up ? path_dir(at) : at;
    }
    *out = (struct path_glob){str_dup(a, at), {str_dup(a, rest), rest.n}};
    return true;
}

bool path_glob_fits(const struct path_glob *g, struct str path)
{
    struct str folder = str_of(g->folder);
    while (folder.n && folder.at[folder.n - 1] == '/')
        folder.n--;
    if (str_starts(path, folder) && path.n > folder.n && path.at[folder.n] == '/' &&
        glob_matches(g->pattern, str_sub(path, folder.n + 1, path.n)))
        return true;
    return glob_matches(g->pattern, path_base(path));
}

/* Is c in the [set] at pattern[*p]? Moves *p past the set. */
static bool set_has(struct str pattern, size_t *p, char c)
{
    size_t i = *p + 1;
    bool negated = i < pattern.n && (pattern.at[i] == '!' || pattern.at[i] == '^'), has = false;
    i += negated;
    for (size_t first = i; i < pattern.n && (pattern.at[i] != ']' || i == first); i++) {
        if (i + 2 < pattern.n && pattern.at[i + 1] == '-' && pattern.at[i + 2] != ']') {
            has = has || (c >= pattern.at[i] && c <= pattern.at[i + 2]);
            i += 2;
        } else {
            has = has || c == pattern.at[i];
        }
    }
    *p = i + 1;
    return has != negated;
}

bool glob_matches(struct str pattern, struct str text)
{
    size_t p = 0, t = 0, star_p = SIZE_MAX, star_t = 0;
    bool star_deep = false;
    for (;;) {
        if (p < pattern.n && pattern.at[p] == '*') {
            star_deep = p + 1 < pattern.n && pattern.at[p + 1] == '*';
            p += star_deep ? 2 : 1;
            if (star_deep && p < pattern.n && pattern.at[p] == '/')
                p++;
            star_p = p;
            star_t = t;
            continue;
        }
        if (t == text.n)
            return p == pattern.n;
        size_t next = p;
        bool fits = false;
        if (p < pattern.n && pattern.at[p] == '?')
            fits = text.at[t] != '/', next++;
        else if (p < pattern.n && pattern.at[p] == '[')
            fits = set_has(pattern, &next, text.at[t]);
        else if (p < pattern.n)
            fits = pattern.at[p] == text.at[t], next++;
        if (fits) {
            p = next;
            t++;
            continue;
        }
        if (star_p == SIZE_MAX || (!star_deep && text.at[star_t] == '/'))
            return false;
        t = ++star_t;
        p = star_p;
    }
}
