/*
 * Tests of rules: their own examples, and folders of cases.
 *
 *     struct rule_test_result r = {0};
 *     if (!rule_test_examples(rules, arena, &r, e) || !rule_test_folder(rules, dir, arena, &r, e))
 * ...
 *
 * A folder of cases has a code as its name and holds fires_*.py and silent_*.py (or .ipynb). In a
 * fires_ file each line that must give a finding ends in "# expect: CODE" or "# expect: CODE low";
 * no other line may give one. A silent_ file must give none, but may at low confidence if the rule
 * is on by default. Only the rule with the folder's name runs. A folder fires_* or silent_* is a
 * case of several files, linted together.
 */
#ifndef LINT_RULE_TEST_H
#define LINT_RULE_TEST_H

#include "lint/lint.h"

struct rule_test_result {
    uint64_t n_passed, n_failed;
    struct strbuf failures; /* one line each */
    uint64_t n_fires, n_silent;
};

bool rule_test_examples(struct rule_set *rules, struct rule_test_result *r, struct err *e);
bool rule_test_folder(struct rule_set *rules, const char *dir, struct rule_test_result *r,
                      struct err *e);

#endif
