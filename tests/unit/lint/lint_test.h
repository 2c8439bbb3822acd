/* Lints one text with the built-in rules: shared by the tests here. */
#ifndef TESTS_UNIT_LINT_LINT_TEST_H
#define TESTS_UNIT_LINT_LINT_TEST_H

#include "lint/lint.h"

struct lint_fixture {
    struct arena arena;
    struct rule_set *rules;
    struct selection *selection;
    struct lint_options options;
    struct linter *linter;
};

void fixture_open(struct lint_fixture *f, enum confidence least);
void fixture_close(struct lint_fixture *f);
struct file_report fixture_run(struct lint_fixture *f, const char *text);
struct file_report fixture_run_bytes(struct lint_fixture *f, struct str bytes, bool is_notebook);
/* The codes of the findings in order: "SB031 SB091". */
const char *fixture_codes(struct lint_fixture *f, const struct file_report *r);

#endif
