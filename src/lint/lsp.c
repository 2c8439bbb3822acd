/*
 * The protocol's life cycle and its table of methods. A message that is no JSON and a
 * request before initialize or after shutdown get the protocol's error; only exit ends the server.
 */
#include "lint/lsp_p.h"

#include "base/path.h"

/* The most successive edits whose answers may wait while more messages are there. */
enum { WAITED_MAX = 256 };

enum {
    ERROR_PARSE = -32700,
    ERROR_REQUEST = -32600,
    ERROR_METHOD = -32601,
    ERROR_NOT_INITIALIZED = -32002
};

/* ---- messages out ---- */

static void frame(struct strbuf *out, struct strbuf *body)
{
    strbuf_printf(out, "Content-Length: %zu\r\n\r\n", body->n);
    strbuf_addstr(out, strbuf_str(body));
    strbuf_done(body);
}

static void put_id(struct json_out *w, const struct json *id)
{
    json_key(w, "id");
    if (id && id->kind == JSON_KIND_STRING)
        json_put_str(w, id->string);
    else if (id && id->kind == JSON_KIND_INTEGER)
        json_put_i64(w, id->integer);
    else
        json_put_null(w);
}

static void send_error(struct strbuf *out, const struct json *id, int code, const char *text)
{
    struct strbuf body = {0};
    struct json_out w = json_open(&body, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "jsonrpc", "2.0");
    put_id(&w, id);
    json_key(&w, "error");
    json_begin_object(&w);
    json_pair_i64(&w, "code", code);
    json_pair_cstr(&w, "message", text);
    json_end_object(&w);
    json_end_object(&w);
    frame(out, &body);
}

/* Opens a notification or request of ours; its params follow. */
static struct json_out begin_message(struct strbuf *body, const char *method)
{
    struct json_out w = json_open(body, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "jsonrpc", "2.0");
    json_pair_cstr(&w, "method", method);
    return w;
}

static void show_message(struct strbuf *out, const char *text)
{
    struct strbuf body = {0};
    struct json_out w = begin_message(&body, "window/showMessage");
    json_key(&w, "params");
    json_begin_object(&w);
    json_pair_i64(&w, "type", 1);
    json_pair_cstr(&w, "message", text);
    json_end_object(&w);
    json_end_object(&w);
    frame(out, &body);
}

static void publish(struct lsp *l, struct lsp_document *d, bool empty, struct strbuf *out)
{
    struct strbuf body = {0};
    if (l->can_pull && !empty)
        return;
    struct json_out w = begin_message(&body, "textDocument/publishDiagnostics");
    json_key(&w, "params");
    json_begin_object(&w);
    json_pair_cstr(&w, "uri", d->uri);
    json_pair_i64(&w, "version", d->version);
    json_key(&w, "diagnostics");
    if (empty) {
        json_begin_array(&w);
        json_end_array(&w);
    } else {
        lsp__put_diagnostics(l, d, &w);
    }
    json_end_object(&w);
    json_end_object(&w);
    frame(out, &body);
}

/* Publishes all open texts; of a notebook its cells. is_new: clients that pull are told to. */
static void publish_all(struct lsp *l, bool is_new, struct strbuf *out)
{
    for (size_t i = 0; i < l->documents.n; i++)
        if (l->documents.at[i]->is_open && !l->documents.at[i]->is_notebook)
            publish(l, l->documents.at[i], false, out);
    if (l->can_pull && l->can_refresh && is_new) {
        struct strbuf body = {0};
        struct json_out w = begin_message(&body, "workspace/diagnostic/refresh");
        json_pair_i64(&w, "id", l->next_id++);
        json_end_object(&w);
        frame(out, &body);
    }
}

/* Files on disk have changed. */
static void publish_anew(struct lsp *l, struct strbuf *out)
{
    for (size_t i = 0; i < l->documents.n; i++)
        lsp__forget_view(l, l->documents.at[i]);
    publish_all(l, true, out);
}

void lsp_take_callers(struct lsp *l, struct strbuf *out)
{
    if (lsp__renew_views(l))
        publish_all(l, true, out);
    arena_reset(&l->arena);
}

static void publish_document(struct lsp *l, struct lsp_document *d, struct strbuf *out)
{
    uint32_t notebook = d->notebook;
    if (!notebook) {
        publish(l, d, false, out);
        return;
    }
    for (size_t i = 0; i < l->documents.n; i++)
        if (l->documents.at[i]->is_open && l->documents.at[i]->notebook == notebook)
            publish(l, l->documents.at[i], false, out);
}

/* Documents edited while more messages were there get one answer for all their edits. */
static void publish_waiting(struct lsp *l, struct strbuf *out)
{
    for (size_t i = 0; i < l->documents.n; i++) {
        struct lsp_document *d = l->documents.at[i];
        if (d->is_open && d->is_waiting)
            publish_document(l, d, out);
        d->is_waiting = false;
    }
    l->n_waited = 0;
}

/* ---- initialize ---- */

static void choose_encoding(struct lsp *l, const struct json *capabilities)
{
    const struct json *list = json_get(json_get(capabilities, "general"), "positionEncodings");
    for (size_t i = 0; list && list->kind == JSON_KIND_ARRAY && i < list->n; i++) {
        struct str one = list->items[i].string;
        if (str_is(one, "utf-8"))
            l->encoding = LSP_UTF8;
        else if (str_is(one, "utf-32"))
            l->encoding = LSP_UTF32;
        else if (!str_is(one, "utf-16"))
            continue;
        return;
    }
}

/* Reads the folder that texts without a file belong to: rootUri, or the first of
 * workspaceFolders. */
static void read_root(struct lsp *l, const struct json *params)
{
    const struct json *folders = json_get(params, "workspaceFolders");
    struct str root = json_get_str(params, "rootUri", STR(""));
    if (!root.n && folders && folders->kind == JSON_KIND_ARRAY && folders->n)
        root = json_get_str(&folders->items[0], "uri", STR(""));
    if (str_starts(root, STR("file://")) && !l->root) {
        struct strbuf path = {0};
        strbuf_adds(&path, path_normalise(&l->arena, lsp__path(root, &l->arena)));
        l->root = strbuf_take(&path);
    }
}

static void read_capabilities(struct lsp *l, const struct json *params)
{
    const struct json *c = json_get(params, "capabilities");
    const struct json *workspace = json_get(c, "workspace");
    choose_encoding(l, c);
    l->can_pull = json_get(json_get(c, "textDocument"), "diagnostic") != NULL;
    l->can_refresh = json_get_bool(json_get(workspace, "diagnostics"), "refreshSupport", false);
    l->can_watch =
        json_get_bool(json_get(workspace, "didChangeWatchedFiles"), "dynamicRegistration", false);
    l->can_version_edits =
        json_get_bool(json_get(workspace, "workspaceEdit"), "documentChanges", false);
    read_root(l, params);
}

static void put_capabilities(const struct lsp *l, struct json_out *w)
{
    static const char *const encodings[] = {"utf-16", "utf-8", "utf-32"};
    json_key(w, "capabilities");
    json_begin_object(w);
    json_pair_cstr(w, "positionEncoding", encodings[l->encoding]);
    json_key(w, "textDocumentSync");
    json_begin_object(w);
    json_pair_bool(w, "openClose", true);
    json_pair_i64(w, "change", 2);
    json_pair_bool(w, "save", true);
    json_end_object(w);
    json_key(w, "notebookDocumentSync");
    json_begin_object(w);
    json_key(w, "notebookSelector");
    json_begin_array(w);
    json_begin_object(w);
    json_pair_cstr(w, "notebook", "jupyter-notebook");
    json_key(w, "cells");
    json_begin_array(w);
    json_begin_object(w);
    json_pair_cstr(w, "language", "python");
    json_end_object(w);
    json_end_array(w);
    json_end_object(w);
    json_end_array(w);
    json_pair_bool(w, "save", true);
    json_end_object(w);
    if (l->can_pull) {
        json_key(w, "diagnosticProvider");
        json_begin_object(w);
        json_pair_cstr(w, "identifier", "assay");
        json_pair_bool(w, "interFileDependencies", true);
        json_pair_bool(w, "workspaceDiagnostics", false);
        json_end_object(w);
    }
    json_key(w, "codeActionProvider");
    json_begin_object(w);
    json_key(w, "codeActionKinds");
    json_begin_array(w);
    json_put_cstr(w, "quickfix");
    json_put_cstr(w, "source.fixAll.assay");
    json_end_array(w);
    json_end_object(w);
    json_pair_bool(w, "hoverProvider", true);
    json_end_object(w);
}

static void on_initialize(struct lsp *l, const struct json *params, struct json_out *w,
                          struct strbuf *out)
{
    read_capabilities(l, params);
    (void)out;
    l->is_initialized = true;
    json_begin_object(w);
    put_capabilities(l, w);
    json_key(w, "serverInfo");
    json_begin_object(w);
    json_pair_cstr(w, "name", "assay");
    json_pair_cstr(w, "version", l->hooks.version);
    json_end_object(w);
    json_end_object(w);
}

static void on_initialized(struct lsp *l, const struct json *params, struct json_out *r,
                           struct strbuf *out)
{
    static const char *const globs[] = {"**/pyproject.toml", "**/assay.toml"};
    struct strbuf body = {0};
    (void)params;
    (void)r;
    if (!l->can_watch)
        return;
    struct json_out w = begin_message(&body, "client/registerCapability");
    json_pair_i64(&w, "id", l->next_id++);
    json_key(&w, "params");
    json_begin_object(&w);
    json_key(&w, "registrations");
    json_begin_array(&w);
    json_begin_object(&w);
    json_pair_cstr(&w, "id", "assay-settings");
    json_pair_cstr(&w, "method", "workspace/didChangeWatchedFiles");
    json_key(&w, "registerOptions");
    json_begin_object(&w);
    json_key(&w, "watchers");
    json_begin_array(&w);
    for (size_t i = 0; i < COUNT_OF(globs); i++) {
        json_begin_object(&w);
        json_pair_cstr(&w, "globPattern", globs[i]);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_end_object(&w);
    json_end_array(&w);
    json_end_object(&w);
    json_end_object(&w);
    frame(out, &body);
}

static void on_shutdown(struct lsp *l, const struct json *params, struct json_out *w,
                        struct strbuf *out)
{
    (void)params;
    (void)out;
    l->is_shut_down = true;
    json_put_null(w);
}

static void on_exit_message(struct lsp *l, const struct json *params, struct json_out *w,
                            struct strbuf *out)
{
    (void)params;
    (void)w;
    (void)out;
    l->is_gone = true;
}

/* ---- documents ---- */

static struct lsp_document *open_text(struct lsp *l, const struct json *item)
{
    struct lsp_document *d = lsp__open(l, json_get_str(item, "uri", STR("")));
    strbuf_clear(&d->text);
    strbuf_addstr(&d->text, json_get_str(item, "text", STR("")));
    d->version = json_get_i64(item, "version", 0);
    d->is_linted = false;
    d->is_code = str_is(json_get_str(item, "languageId", STR("python")), "python");
    return d;
}

static struct lsp_document *document_of(struct lsp *l, const struct json *params)
{
    return lsp__find(l, json_get_str(json_get(params, "textDocument"), "uri", STR("")));
}

static void on_open(struct lsp *l, const struct json *params, struct json_out *w,
                    struct strbuf *out)
{
    (void)w;
    publish(l, open_text(l, json_get(params, "textDocument")), false, out);
}

static void change_text(struct lsp *l, struct lsp_document *d, const struct json *changes)
{
    for (size_t i = 0; changes && changes->kind == JSON_KIND_ARRAY && i < changes->n; i++)
        lsp__change(l, d, &changes->items[i]);
    if (d->notebook)
        l->documents.at[d->notebook - 1]->is_linted = false;
}

static void on_change(struct lsp *l, const struct json *params, struct json_out *w,
                      struct strbuf *out)
{
    struct lsp_document *d = document_of(l, params);
    (void)w;
    if (!d)
        return;
    d->version = json_get_i64(json_get(params, "textDocument"), "version", d->version + 1);
    change_text(l, d, json_get(params, "contentChanges"));
    d->is_waiting = l->has_more && l->n_waited < WAITED_MAX;
    l->n_waited += d->is_waiting;
    if (!d->is_waiting)
        publish_document(l, d, out);
}

static void on_close(struct lsp *l, const struct json *params, struct json_out *w,
                     struct strbuf *out)
{
    struct lsp_document *d = document_of(l, params);
    (void)w;
    if (!d)
        return;
    publish(l, d, true, out);
    lsp__close(l, d);
}

static void on_save(struct lsp *l, const struct json *params, struct json_out *w,
                    struct strbuf *out)
{
    (void)params;
    (void)w;
    publish_anew(l, out);
}

static void on_settings(struct lsp *l, const struct json *params, struct json_out *w,
                        struct strbuf *out)
{
    (void)params;
    (void)w;
    lsp__forget_settings(l);
    publish_all(l, true, out);
}

/* ---- notebooks ---- */

static uint32_t number_of(const struct lsp *l, const struct lsp_document *d)
{
    uint32_t i = 0;
    while (l->documents.at[i] != d)
        i++;
    return i;
}

/* Numbers the cells in the order of the notebook's list; their texts are known already. */
static void number_cells(struct lsp *l, struct lsp_document *notebook, const struct json *cells)
{
    uint32_t number = number_of(l, notebook);
    notebook->cell = 0;
    notebook->is_linted = false;
    for (size_t i = 0; cells && cells->kind == JSON_KIND_ARRAY && i < cells->n; i++) {
        struct lsp_document *d = lsp__find(l, json_get_str(&cells->items[i], "document", STR("")));
        notebook->cell++;
        if (!d)
            continue;
        d->notebook = number + 1;
        d->cell = notebook->cell;
        d->is_code = json_get_i64(&cells->items[i], "kind", 2) == 2;
    }
}

static void on_notebook_open(struct lsp *l, const struct json *params, struct json_out *w,
                             struct strbuf *out)
{
    const struct json *notebook = json_get(params, "notebookDocument");
    const struct json *texts = json_get(params, "cellTextDocuments");
    struct lsp_document *d = lsp__open(l, json_get_str(notebook, "uri", STR("")));
    (void)w;
    d->is_notebook = true;
    for (size_t i = 0; texts && texts->kind == JSON_KIND_ARRAY && i < texts->n; i++)
        open_text(l, &texts->items[i]);
    number_cells(l, d, json_get(notebook, "cells"));
    publish_all(l, false, out);
}

/* Cells were inserted or removed: the others get new numbers. */
static void change_structure(struct lsp *l, struct lsp_document *d, const struct json *structure)
{
    const struct json *array = json_get(structure, "array");
    const struct json *opened = json_get(structure, "didOpen");
    const struct json *closed = json_get(structure, "didClose");
    const struct json *cells = json_get(array, "cells");
    uint32_t start = (uint32_t)json_get_i64(array, "start", 0), number = number_of(l, d) + 1;
    uint32_t n_gone = (uint32_t)json_get_i64(array, "deleteCount", 0);
    uint32_t n_new = cells && cells->kind == JSON_KIND_ARRAY ? (uint32_t)cells->n : 0;
    for (size_t i = 0; i < l->documents.n; i++) {
        struct lsp_document *one = l->documents.at[i];
        if (one->notebook != number || one->cell <= start)
            continue;
        one->cell = one->cell <= start + n_gone ? UINT32_MAX : one->cell - n_gone + n_new;
    }
    d->cell = d->cell >= n_gone ? d->cell - n_gone + n_new : n_new;
    for (size_t i = 0; opened && opened->kind == JSON_KIND_ARRAY && i < opened->n; i++)
        open_text(l, &opened->items[i]);
    for (uint32_t i = 0; i < n_new; i++) {
        struct lsp_document *one =
            lsp__find(l, json_get_str(&cells->items[i], "document", STR("")));
        if (!one)
            continue;
        one->notebook = number;
        one->cell = start + i + 1;
        one->is_code = json_get_i64(&cells->items[i], "kind", 2) == 2;
    }
    for (size_t i = 0; closed && closed->kind == JSON_KIND_ARRAY && i < closed->n; i++) {
        struct lsp_document *one = lsp__find(l, json_get_str(&closed->items[i], "uri", STR("")));
        if (one)
            lsp__close(l, one);
    }
}

static void on_notebook_change(struct lsp *l, const struct json *params, struct json_out *w,
                               struct strbuf *out)
{
    struct lsp_document *d =
        lsp__find(l, json_get_str(json_get(params, "notebookDocument"), "uri", STR("")));
    const struct json *cells = json_get(json_get(params, "change"), "cells");
    const struct json *texts = json_get(cells, "textContent");
    (void)w;
    if (!d)
        return;
    if (json_get(cells, "structure"))
        change_structure(l, d, json_get(cells, "structure"));
    for (size_t i = 0; texts && texts->kind == JSON_KIND_ARRAY && i < texts->n; i++) {
        const struct json *document = json_get(&texts->items[i], "document");
        struct lsp_document *one = lsp__find(l, json_get_str(document, "uri", STR("")));
        if (!one)
            continue;
        one->version = json_get_i64(document, "version", one->version + 1);
        change_text(l, one, json_get(&texts->items[i], "changes"));
    }
    d->is_linted = false;
    publish_all(l, false, out);
}

static void on_notebook_close(struct lsp *l, const struct json *params, struct json_out *w,
                              struct strbuf *out)
{
    struct lsp_document *d =
        lsp__find(l, json_get_str(json_get(params, "notebookDocument"), "uri", STR("")));
    const struct json *cells = json_get(params, "cellTextDocuments");
    (void)w;
    for (size_t i = 0; cells && cells->kind == JSON_KIND_ARRAY && i < cells->n; i++) {
        struct lsp_document *one = lsp__find(l, json_get_str(&cells->items[i], "uri", STR("")));
        if (!one)
            continue;
        publish(l, one, true, out);
        lsp__close(l, one);
    }
    if (d)
        lsp__close(l, d);
}

/* ---- requests ---- */

static void on_diagnostic(struct lsp *l, const struct json *params, struct json_out *w,
                          struct strbuf *out)
{
    struct lsp_document *d = document_of(l, params);
    (void)out;
    json_begin_object(w);
    json_pair_cstr(w, "kind", "full");
    json_key(w, "items");
    if (d) {
        lsp__put_diagnostics(l, d, w);
    } else {
        json_begin_array(w);
        json_end_array(w);
    }
    json_end_object(w);
}

static void on_code_action(struct lsp *l, const struct json *params, struct json_out *w,
                           struct strbuf *out)
{
    (void)out;
    lsp__code_actions(l, params, w);
}

static void on_hover(struct lsp *l, const struct json *params, struct json_out *w,
                     struct strbuf *out)
{
    (void)out;
    lsp__hover(l, params, w);
}

static void on_nothing(struct lsp *l, const struct json *params, struct json_out *w,
                       struct strbuf *out)
{
    (void)l;
    (void)params;
    (void)w;
    (void)out;
}

static const struct method {
    const char *name;
    bool is_request;
    void (*run)(struct lsp *, const struct json *params, struct json_out *result,
                struct strbuf *out);
} methods[] = {
    {"initialize", true, on_initialize},
    {"initialized", false, on_initialized},
    {"shutdown", true, on_shutdown},
    {"exit", false, on_exit_message},
    {"$/cancelRequest", false, on_nothing},
    {"$/setTrace", false, on_nothing},
    {"textDocument/didOpen", false, on_open},
    {"textDocument/didChange", false, on_change},
    {"textDocument/didClose", false, on_close},
    {"textDocument/didSave", false, on_save},
    {"textDocument/diagnostic", true, on_diagnostic},
    {"textDocument/codeAction", true, on_code_action},
    {"textDocument/hover", true, on_hover},
    {"notebookDocument/didOpen", false, on_notebook_open},
    {"notebookDocument/didChange", false, on_notebook_change},
    {"notebookDocument/didSave", false, on_save},
    {"notebookDocument/didClose", false, on_notebook_close},
    {"workspace/didChangeConfiguration", false, on_settings},
    {"workspace/didChangeWatchedFiles", false, on_settings},
};

static void run_request(struct lsp *l, const struct method *m, const struct json *root,
                        struct strbuf *out)
{
    struct strbuf body = {0};
    struct json_out w = json_open(&body, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "jsonrpc", "2.0");
    put_id(&w, json_get(root, "id"));
    json_key(&w, "result");
    m->run(l, json_get(root, "params"), &w, out);
    json_end_object(&w);
    frame(out, &body);
}

static void dispatch(struct lsp *l, const struct json *root, struct strbuf *out)
{
    const struct json *id = json_get(root, "id");
    struct str name = json_get_str(root, "method", STR(""));
    const struct method *m = NULL;
    struct json_out none = {0};
    if (!name.n) /* an answer to a request of ours */
        return;
    for (size_t i = 0; i < COUNT_OF(methods); i++)
        if (str_is(name, methods[i].name))
            m = &methods[i];
    bool is_start = str_is(name, "initialize"), is_end = str_is(name, "exit");
    if (!m && id)
        send_error(out, id, ERROR_METHOD, "no such method");
    else if (m && !l->is_initialized && !is_start && !is_end && id)
        send_error(out, id, ERROR_NOT_INITIALIZED, "initialize comes first");
    else if (m && (l->is_shut_down || (is_start && l->is_initialized)) && !is_end && id)
        send_error(out, id, ERROR_REQUEST, "not at this time");
    else if (m && m->is_request && id)
        run_request(l, m, root, out);
    else if (m && !m->is_request && (is_end || (l->is_initialized && !l->is_shut_down)))
        m->run(l, json_get(root, "params"), &none, out);
}

bool lsp_handle(struct lsp *l, struct str message, struct strbuf *out)
{
    const struct json *root;
    struct err e = {0};
    if (!json_parse_with_nul(message, "message", &l->arena, &root, &e))
        send_error(out, NULL, ERROR_PARSE, e.text);
    else
        dispatch(l, root, out);
    if (l->problem.code != ERR_NONE)
        show_message(out, l->problem.text);
    l->problem = (struct err){0};
    if (!l->has_more || l->n_waited == WAITED_MAX)
        publish_waiting(l, out);
    l->pages.at = NULL; /* it lay in the arena */
    l->pages.n = l->pages.cap = 0;
    arena_reset(&l->arena);
    return !l->is_gone;
}

struct lsp *lsp_new(const struct lsp_hooks *hooks)
{
    struct lsp *l = mem_alloc(sizeof *l);
    *l = (struct lsp){.hooks = *hooks, .next_id = 1};
    arena_init(&l->arena);
    return l;
}

void lsp_free(struct lsp *l)
{
    if (!l)
        return;
    lsp__forget_settings(l);
    lsp__free_documents(l);
    arena_done(&l->arena);
    free(l->root);
    free(l);
}

void lsp_expect(struct lsp *l, bool has_more)
{
    l->has_more = has_more;
}

int lsp_exit_code(const struct lsp *l)
{
    return l->is_shut_down ? 0 : 1;
}
