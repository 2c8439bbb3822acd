/* The language server inside: documents, positions, and the features that use them. */
#ifndef LINT_LSP_P_H
#define LINT_LSP_P_H

#include "base/hash.h"
#include "base/json.h"
#include "base/vec.h"
#include "lint/lsp.h"
#include "lint/project.h"

enum lsp_encoding { LSP_UTF16, LSP_UTF8, LSP_UTF32 };

/* An open text, or a notebook whose cells are texts. The report is that of the version. */
struct lsp_document {
    char *uri;
    struct strbuf text;
    int64_t version;
    struct arena arena; /* of the report */
    struct file_report report;
    bool is_linted;
    struct project_views own; /* the files that it imports, as on disk; files: NULL: not read */
    struct arena own_arena;
    size_t among;      /* number + 1 among its setup's views; 0: those do not know it yet */
    struct hash told;  /* of what others learned of it last */
    bool is_edited;    /* since then */
    size_t setup;      /* number + 1 of its folder's settings; 0: not looked up yet */
    uint32_t notebook; /* of a cell: number of its notebook + 1; 0: none */
    uint32_t cell;     /* of a cell: its number in the notebook, from 1 */
    bool is_notebook, is_open, is_code;
    bool is_excluded; /* by the settings of its folder */
    bool is_waiting;  /* edited but not published, because more messages were there */
};

/* A rule's page, looked up once per message. */
struct lsp_page {
    const struct rule *rule;
    const char *uri;
};

/* Settings, the linter that follows them, and what their open documents and the callers of these
 * know of each other. */
struct lsp_setup {
    struct project project;
    struct linter *linter;
    struct project_views views; /* files: NULL: not read yet */
    struct arena arena;
};

struct lsp {
    struct lsp_hooks hooks;
    VEC(struct lsp_setup) setups;
    struct project project; /* these two belong to the document at hand, see lsp__report */
    struct linter *linter;
    struct err problem; /* of loading settings, to be shown */
    VEC(struct lsp_document *) documents;
    char *root;
    enum lsp_encoding encoding;
    bool can_pull, can_refresh, can_watch, can_version_edits;
    bool is_initialized, is_shut_down, is_gone;
    bool wants_callers;
    bool has_more; /* more messages are there already */
    unsigned n_waited;
    VEC(struct lsp_page) pages; /* of one message, in its arena */
    int64_t next_id;
    struct arena arena; /* of one message */
};

/* ---- documents ---- */

struct lsp_document *lsp__find(struct lsp *l, struct str uri); /* an open document; NULL: none */
struct lsp_document *lsp__open(struct lsp *l, struct str uri); /* added when absent */
void lsp__close(struct lsp *l, struct lsp_document *d);
void lsp__free_documents(struct lsp *l);
bool lsp__change(struct lsp *l, struct lsp_document *d, const struct json *change);
/* The report of a document; of a cell, that of its notebook. Lints when the report is of another
 * version, and makes the document's settings those at hand. */
const struct file_report *lsp__report(struct lsp *l, struct lsp_document *d);
/* Files on disk may have changed: the document's imports are read again, and its callers. */
void lsp__forget_view(struct lsp *l, struct lsp_document *d);
void lsp__close_view(struct lsp_document *d);
/* Looks up the settings of a document and makes them those at hand. False: there are none. */
bool lsp__use_settings(struct lsp *l, struct lsp_document *d);
/* What a linter needs of a document. */
struct lint_input lsp__input(struct lsp *l, struct lsp_document *d, struct arena *a);
void lsp__use_view(struct lsp *l, struct lsp_document *d, struct lint_input *in);
/* Reads anew what the open documents of each setup and their callers know of each other. False: no
 * setup asks for it. */
bool lsp__renew_views(struct lsp *l);
/* Settings may have changed: each document's are looked up again. */
void lsp__forget_settings(struct lsp *l);
struct str lsp__path(struct str uri, struct arena *a);
/* The cells of an open notebook as its file would hold them. */
struct str lsp__notebook_text(struct lsp *l, const struct lsp_document *notebook, struct arena *a);
bool lsp__is_of(const struct lsp_document *d, const struct finding *f);

/* Offset of a position in the text, clamped; and back. */
size_t lsp__offset(const struct lsp *l, struct str text, const struct json *position);
void lsp__put_position(const struct lsp *l, struct json_out *w, const char *key, struct str text,
                       size_t offset);
/* Where each line of a text begins, so that finding a place needs no walk over the text. */
struct lsp_lines {
    const size_t *start;
    size_t n;
};
struct lsp_lines lsp__lines(struct str text, struct arena *a);
/* Place of a finding: line and column in characters. */
void lsp__put_place(const struct lsp *l, struct json_out *w, const char *key, struct str text,
                    const struct source_place *p, const struct lsp_lines *lines);
size_t lsp__place_offset(struct str text, const struct source_place *p);

/* ---- features ---- */

void lsp__put_diagnostics(struct lsp *l, struct lsp_document *d, struct json_out *w); /* array */
void lsp__code_actions(struct lsp *l, const struct json *params, struct json_out *w);
void lsp__hover(struct lsp *l, const struct json *params, struct json_out *w);

#endif
