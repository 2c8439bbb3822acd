/*
 * struct linter: lints files one after another with one rule set and one selection of rules.
 *
 *     struct rule_set *rules;  ...rule_set_new
 *     struct linter *linter = linter_new(rules, &options);
 *     struct file_report report;
 *     linter_run(linter, &(struct lint_input){.path = path, .bytes = bytes}, arena, &report);
 *     ...
 *     linter_free(linter);
 *
 * A report's texts live in the given arena and in the rule set. Only interned words are kept from
 * one file to the next. Every input has a report: what could not be read is a finding too (SB901,
 * SB902).
 */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "lint/finding.h"
#include "lint/rule.h"
#include "lint/select.h"

struct lint_options {
    const struct selection *selection;
    enum confidence min_confidence;
    bool ignore_noqa;
    bool is_fragment;  /* treat every input as a fragment */
    bool no_prefilter; /* also analyse files that name no framework */
    bool with_notes;   /* keep SB901 */
    uint64_t max_file_size;
    uint32_t torch_version; /* major * 1000 + minor; 0: unknown */
    const struct summary_set *project;
};

/* The name that a file uses for a module with another name in the project. */
struct module_alias {
    struct str written, name;
};

struct lint_input {
    struct str path;   /* as shown */
    struct str bytes;  /* kept by the caller while the linter runs */
    struct str module; /* dotted name in its project, or empty */
    bool is_package, is_notebook, is_stdin;
    bool is_relevant; /* it imports a module of the project that names a framework */
    const struct module_alias *aliases;
    size_t n_aliases;
    const struct str *taken; /* names that other files of the run import from it */
    size_t n_taken;
    bool is_taken_whole; /* one imports the module itself, or with a star */
};

struct linter;

struct linter *linter_new(struct rule_set *rules, const struct lint_options *options);
void linter_free(struct linter *l); /* NULL is allowed */
/* Sets what other files define, from now on. NULL: nothing. Borrowed. */
void linter_set_project(struct linter *l, const struct summary_set *project);

void linter_run(struct linter *l, const struct lint_input *in, struct arena *a,
                struct file_report *out);

/* linter_run that also appends to *summary what other files learn of this one (python/summary.h),
 * as bytes. */
void linter_run_and_summarise(struct linter *l, const struct lint_input *in, struct arena *a,
                              struct file_report *out, struct strbuf *summary);
/* Appends the summary alone, without rules; nothing for a text that cannot be read. */
void linter_summarise(struct linter *l, const struct lint_input *in, struct strbuf *summary);

/* Applies all fixes that the options allow, to a fixpoint (at most 10 rounds). A fix with which the
 * file would not parse as well as before is left out and counted: left->n_refused; left->fixed
 * counts the others by rule. out: the new bytes. *n_applied: the number of fixes. */
struct fix_options {
    bool unsafe;
    const struct selection *fixable;
    const struct file_report *only; /* NULL, or: fix only these findings, in one round */
};
bool linter_fix(struct linter *l, const struct lint_input *in, const struct fix_options *o,
                struct arena *a, struct str *out, uint32_t *n_applied, struct file_report *left,
                struct err *e);

/* A report for a file that could not be read. */
void linter_unreadable(const struct rule_set *rules, struct str path, const char *why,
                       struct arena *a, struct file_report *out);

/* A layer of the engine as text: tree, names, types, cfg, defuse, summaries. */
bool linter_dump(struct linter *l, const struct lint_input *in, struct str layer, struct arena *a,
                 struct strbuf *out, struct err *e);

#endif
