/*
 * Equations of Einsum, by the operator's text: letters, commas, spaces, "..." and "->". What the
 * text leaves open (an ellipsis of different lengths, or one that the result omits) is refused as
 * unsupported.
 */
#include "onnx/einsum.h"

#include <string.h>

static int label_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    return c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

static bool add_label(struct einsum_term *t, uint32_t label, struct err *e)
{
    if (t->n == TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "a term of more than %d dims", TENSOR_RANK_MAX);
    t->at[t->n++] = (uint8_t)label;
    return true;
}

/* One term; n_ellipsis labels of their own stand in the place of "...". */
static bool parse_term(struct str text, uint32_t n_ellipsis, bool *has_ellipsis,
                       struct einsum_term *out, struct err *e)
{
    out->n = 0;
    *has_ellipsis = false;
    for (size_t i = 0; i < text.n; i++) {
        if (text.at[i] == ' ')
            continue;
        if (str_starts(str_sub(text, i, text.n), STR("...")) && !*has_ellipsis) {
            *has_ellipsis = true;
            i += 2;
            for (uint32_t j = 0; j < n_ellipsis; j++)
                if (!add_label(out, EINSUM_LETTERS + j, e))
                    return false;
            continue;
        }
        int label = label_of(text.at[i]);
        if (label < 0)
            return err_set(e, ERR_DATA, "'%c' in an equation", text.at[i]);
        if (!add_label(out, (uint32_t)label, e))
            return false;
    }
    return true;
}

/* Counts the dims that "..." stands for, which must be the same in every term that has it. */
static bool count_ellipsis(struct str left, const uint32_t *ranks, uint32_t n_operands,
                           int64_t *count, struct err *e)
{
    struct str rest = left, part;
    struct einsum_term t;
    *count = -1;
    for (uint32_t i = 0; i < n_operands && str_split(&rest, ',', &part); i++) {
        bool has;
        if (!parse_term(part, 0, &has, &t, e))
            return false;
        if (has ? t.n > ranks[i] : t.n != ranks[i])
            return err_set(e, ERR_DATA, "term %u has %u labels, its operand rank %u", i, t.n,
                           ranks[i]);
        if (!has)
            continue;
        if (*count >= 0 && *count != (int64_t)ranks[i] - t.n)
            return err_set(e, ERR_UNSUPPORTED, "an ellipsis of different lengths");
        *count = (int64_t)ranks[i] - t.n;
    }
    return true;
}

/* Implicit mode: the result is the ellipsis, then the labels that appear once, in ASCII order. */
static bool implicit_output(struct einsum *s, uint32_t n_ellipsis, struct err *e)
{
    unsigned n_uses[EINSUM_LABELS] = {0};
    for (uint32_t i = 0; i < s->n_terms; i++)
        for (uint32_t d = 0; d < s->terms[i].n; d++)
            n_uses[s->terms[i].at[d]]++;
    s->output.n = 0;
    for (uint32_t j = 0; j < n_ellipsis; j++)
        if (!add_label(&s->output, EINSUM_LETTERS + j, e))
            return false;
    for (uint32_t label = 0; label < EINSUM_LETTERS; label++)
        if (n_uses[label] == 1 && !add_label(&s->output, label, e))
            return false;
    return true;
}

static bool explicit_output(struct einsum *s, struct str right, int64_t n_ellipsis, struct err *e)
{
    bool has, seen[EINSUM_LABELS] = {false}, used[EINSUM_LABELS] = {false};
    if (!parse_term(right, n_ellipsis < 0 ? 0 : (uint32_t)n_ellipsis, &has, &s->output, e))
        return false;
    if (has != (n_ellipsis >= 0) && (has || n_ellipsis > 0))
        return err_set(e, ERR_UNSUPPORTED, "an ellipsis on only one side");
    for (uint32_t i = 0; i < s->n_terms; i++)
        for (uint32_t d = 0; d < s->terms[i].n; d++)
            used[s->terms[i].at[d]] = true;
    for (uint32_t d = 0; d < s->output.n; d++) {
        uint8_t label = s->output.at[d];
        if (!used[label] || seen[label])
            return err_set(e, ERR_DATA, "a label of the result is %s",
                           seen[label] ? "named twice" : "in no operand");
        seen[label] = true;
    }
    return true;
}

bool einsum_parse(struct str equation, const uint32_t *ranks, uint32_t n_operands, struct arena *a,
                  struct einsum *out, struct err *e)
{
    size_t arrow = str_find(equation, STR("->"));
    struct str left = str_sub(equation, 0, arrow), rest = left, part;
    int64_t n_ellipsis;
    uint32_t n_commas = 0;
    for (size_t i = 0; i < left.n; i++)
        n_commas += left.at[i] == ',';
    if (n_commas + 1 != n_operands)
        return err_set(e, ERR_DATA, "%u terms for %u operands", n_commas + 1, n_operands);
    if (!count_ellipsis(left, ranks, n_operands, &n_ellipsis, e))
        return false;
    uint32_t n_dims = n_ellipsis < 0 ? 0 : (uint32_t)n_ellipsis;
    out->n_terms = n_operands;
    out->terms = arena_new_array(a, struct einsum_term, n_operands);
    for (uint32_t i = 0; i < n_operands && str_split(&rest, ',', &part); i++) {
        bool has;
        if (!parse_term(part, n_dims, &has, &out->terms[i], e))
            return false;
    }
    if (arrow == equation.n)
        return implicit_output(out, n_dims, e);
    return explicit_output(out, str_sub(equation, arrow + 2, equation.n), n_ellipsis, e);
}
