/*
 * struct lsp: the language server without its wire: a message in, messages out.
 *
 *     struct lsp *server = lsp_new(&hooks);
 *     while (read_message(&text) && lsp_handle(server, text, &out))   // out: framed messages
 *         write(out), strbuf_clear(&out);
 *     int exit_code = lsp_exit_code(server);
 *     lsp_free(server);
 *
 * Language Server Protocol 3.17: position encoding negotiated, documents synchronised by ranges,
 * diagnostics pushed, or pulled when the client can, code actions (quickfix, source.fixAll.assay,
 * ignore on this line), hover, notebooks, settings watched. Every edit analyses the whole text
 * anew; when edits come faster than that, only the last does. Files and settings are read by the
 * hooks.
 */
#ifndef LINT_LSP_H
#define LINT_LSP_H

#include "lint/project.h"

/* What the server needs from outside. */
struct lsp_hooks {
    void *ctx;
    /* The settings in force in a folder; NULL: those without a folder, which there always are. The
     * caller keeps the rules until `forget`; the same rules mean the same project. False: the text
     * is shown to the user. */
    bool (*load)(void *ctx, const char *folder, struct project *out, struct err *e);
    /* Do the settings leave the file out, so that it gets no findings? NULL: no file is left
     * out. */
    bool (*is_excluded)(void *ctx, const char *path);
    /* Settings files may have changed: frees all that was loaded. NULL: nothing to do. */
    void (*forget)(void *ctx);
    /* A rule's page as a URI in the arena, or NULL. */
    const char *(*page)(void *ctx, const struct rule *rule, struct arena *a);
    const char *version;
};

struct lsp;

struct lsp *lsp_new(const struct lsp_hooks *hooks);
void lsp_free(struct lsp *l); /* NULL is allowed */

/* Says whether more messages are there already. Then edits wait, and the last of successive ones is
 * answered for all. */
void lsp_expect(struct lsp *l, bool has_more);
/* One message without its header. False: the client asked to exit. */
bool lsp_handle(struct lsp *l, struct str message, struct strbuf *out);
/* The callers of open documents are read without keeping the user waiting:
 *
 *     if (lsp_wants_callers(l, rested))    // no message has come; rested: for some time
 *         in a child: lsp_read_callers(l); // fills the cache
 *     lsp_take_callers(l, &out);           // when the child has ended
 *
 * lsp_wants_callers is true once for each reason; rested, an edit that changes what others learn of
 * its document is one. Without a cache lsp_take_callers reads them itself. */
bool lsp_wants_callers(struct lsp *l, bool rested);
void lsp_read_callers(struct lsp *l);
void lsp_take_callers(struct lsp *l, struct strbuf *out);

int lsp_exit_code(const struct lsp *l); /* 0 when shutdown came before exit */

#endif
