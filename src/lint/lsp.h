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
 * anew, of edits that come faster than that the last one. Neither files nor settings are read here:
 * hooks do.
 */
#ifndef LINT_LSP_H
#define LINT_LSP_H

#include "lint/lint.h"

/* What the server needs from outside. */
struct lsp_hooks {
    void *ctx;
    /* The settings in force in a folder; without one (NULL) those that always can be had. Rules
     * stay the caller's until forget; the same rules mean the same options. False: the text is
     * shown to the user. */
    bool (*load)(void *ctx, const char *folder, struct rule_set **rules,
                 struct lint_options *options, struct err *e);
    /* Do the settings leave the file out? It gives nothing then. NULL: none is left out. */
    bool (*is_excluded)(void *ctx, const char *path);
    /* Settings files may have changed: all that was loaded is given back. NULL: nothing to do. */
    void (*forget)(void *ctx);
    /* A rule's page as a URI in the arena, or NULL. */
    const char *(*page)(void *ctx, const struct rule *rule, struct arena *a);
    const char *version;
};

struct lsp;

struct lsp *lsp_new(const struct lsp_hooks *hooks);
void lsp_free(struct lsp *l); /* NULL is allowed */

/* Are more messages there already? Then edits wait: the last of a row is answered, for all. */
void lsp_expect(struct lsp *l, bool has_more);
/* One message without its header. False: the client asked to exit. */
bool lsp_handle(struct lsp *l, struct str message, struct strbuf *out);
int lsp_exit_code(const struct lsp *l); /* 0 when shutdown came before exit */

#endif
