/* Decides how predictions are counted, and how their figures are written. Must not know who
 * predicts. */
#include "cli/foretell_figures.h"

#include "base/hash.h"

bool trial_is_run(const struct trial *t)
{
    return t->real.is == OUTCOME_KIND_OK || t->real.is == OUTCOME_KIND_RAISED;
}

void measured_add(struct measured *m, struct scored *list, const struct trial *t, double confidence,
                  bool is_right)
{
    struct figures *f = &m->figures;
    bool is_ok = t->real.is == OUTCOME_KIND_OK;
    struct str op = t->seed->op;
    f->n_population++;
    m->kinds[t->change.kind].n_population++;
    if (confidence <= 0)
        return;
    m->kinds[t->change.kind].n_given++;
    m->kinds[t->change.kind].n_right += is_right;
    list[f->n_given++] = (struct scored){confidence, is_right, hash_bytes64(op.at, op.n)};
    f->n_right += is_right;
    *(is_ok ? &f->n_ok : &f->n_raised) += 1;
    *(is_ok ? &f->right_ok : &f->right_raised) += is_right;
}

double percent(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

void figures_put_counts(const struct measured *m, struct json_out *w)
{
    const struct figures *f = &m->figures;
    json_pair_u64(w, "population", f->n_population);
    json_pair_u64(w, "given", f->n_given);
    json_pair_u64(w, "right", f->n_right);
    json_pair_double(w, "coverage", percent(f->n_given, f->n_population));
    json_pair_double(w, "accuracy", percent(f->n_right, f->n_given));
    json_pair_double(w, "accuracy_works", percent(f->right_ok, f->n_ok));
    json_pair_double(w, "accuracy_raises", percent(f->right_raised, f->n_raised));
}

void figures_put_interval(struct json_out *w, const char *key, double low, double high)
{
    json_key(w, key);
    json_begin_array(w);
    json_put_double(w, low);
    json_put_double(w, high);
    json_end_array(w);
}

void figures_put_kinds(const struct measured *m, struct json_out *w)
{
    json_key(w, "accuracy_at_coverage");
    json_begin_array(w);
    for (size_t i = 0; i < SCORE_STEPS && m->figures.accuracy_at[i] >= 0; i++)
        json_put_double(w, 100 * m->figures.accuracy_at[i]);
    json_end_array(w);
    json_key(w, "kinds");
    json_begin_array(w);
    for (unsigned k = 0; k < CHANGE_COUNT; k++) {
        json_begin_object(w);
        json_pair_cstr(w, "change", change_name((enum change_kind)k));
        json_pair_u64(w, "population", m->kinds[k].n_population);
        json_pair_u64(w, "given", m->kinds[k].n_given);
        json_pair_u64(w, "right", m->kinds[k].n_right);
        json_end_object(w);
    }
    json_end_array(w);
}
