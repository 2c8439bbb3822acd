/* Edits of calls, each as few bytes as possible. */
#include "python/edit_call.h"

void edit_set_keyword(struct edit_set *set, struct arena *a, const struct tree *t, uint32_t node,
                      const struct keyword *k, uint32_t group)
{
    struct str text = tree_text(t, node);
    uint32_t end = tree_node(t, node)->end;
    if (tree_kind(t, node) != PY_CALL) {
        const char *call =
            arena_printf(a, "(" STR_FMT "=" STR_FMT ")", STR_ARG(k->name), STR_ARG(k->value));
        edit_add(set, a, end, end, str_of(call), group);
        return;
    }
    uint32_t given = tree_keyword(t, node, k->word, NULL);
    if (given) {
        edit_add(set, a, tree_node(t, given)->start, tree_node(t, given)->end, k->value, group);
        return;
    }
    bool is_first = tree_child_count(t, tree_child(t, node, FIELD_ARGUMENTS)) == 0;
    bool has_comma = text.n > 1 && text.at[text.n - 2] == ',';
    const char *argument = arena_printf(a, "%s" STR_FMT "=" STR_FMT,
                                        is_first    ? ""
                                        : has_comma ? " "
                                                    : ", ",
                                        STR_ARG(k->name), STR_ARG(k->value));
    edit_add(set, a, end - 1, end - 1, str_of(argument), group);
}
