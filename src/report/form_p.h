/*
 * Issue forms: the fields of a tracker's bug form, in order, and what fills each. They are data,
 * the key "form" of share/targets/NAME.json:
 *
 *     "form": {
 *         "tracker": "https://github.com/microsoft/onnxruntime/issues",
 *         "template": "08-general.yml",
 *         "title": "",
 *         "fields": [
 *             {"heading": "### Describe the issue", "parts": ["summary", "facts"]},
 *             {"heading": "### Platform", "text": "Linux"}
 *         ]
 *     }
 *
 * A field has either parts (form.def), which come from the bug, or a text that is the same for
 * every bug of the target. With neither it stays empty, as in GitHub's forms.
 */
#ifndef REPORT_FORM_P_H
#define REPORT_FORM_P_H

#include "report/report.h"

enum form_part {
#define FORM_PART(id, word, write) FORM_PART_##id,
#include "report/form.def"
#undef FORM_PART
    FORM_PART_COUNT
};

struct form_field {
    const char *heading; /* the line as Markdown; NULL: none */
    const char *text;    /* Markdown; NULL: the parts fill the field */
    enum form_part parts[FORM_PART_COUNT];
    size_t n_parts;
};

struct form {
    struct str tracker;  /* address; empty: the general draft, which leaves empty fields out */
    struct str template; /* file of the tracker's form */
    struct str title;    /* how the form begins a title: "[Bug]: " */
    const struct form_field *fields;
    size_t n;
};

/* A draft while it is written. */
struct draft {
    const struct report_bug *bug;
    const char *version; /* of assay */
    struct str package;  /* the engine's, in Python: "onnxruntime" */
    struct form form;
};

/* Finds form and package of the engine. An engine that is unknown or has no form gets the general
 * draft. ERR_DATA names file, line and key of a wrong form. */
bool form__load(struct str engine, struct arena *a, struct draft *out, struct err *e);

/* Reads both from the text of a description. */
bool form__parse(struct str text, const char *name, struct arena *a, struct draft *out,
                 struct err *e);

/* The writers of parts, in markdown_part.c: they add whole lines, or nothing where the bug has
 * none. */
#define FORM_PART(id, word, write) void write(const struct draft *d, struct strbuf *out);
#include "report/form.def"
#undef FORM_PART

#endif
