/*
 * Builds control flow with a stack of small tasks, so that the C stack grows neither with the
 * nesting nor with the length of the input. A task visits a node, adds a step, starts a block or
 * makes an edge; the tasks of a statement are pushed in reverse order and then run in order.
 * Expression and statement forms are in cfg_statement.c and cfg_expression.c. Invariants: a block
 * is current at most once, so its steps are contiguous; frames (loop, with, except, finally) form a
 * chain that tells what a jump passes through.
 */
#include "base/hash.h"
#include "python/cfg_p.h"

const struct cfg_limits cfg_default_limits = {400000, 100000};

/* ---- blocks, steps, edges ---- */

static void start_block(struct cfg_builder *b, uint32_t block)
{
    if (b->block != BLOCK_NONE) {
        cfg__add_edge(b, block, EDGE_NEXT);
        b->blocks.at[b->block].end = (uint32_t)b->steps.n;
    }
    b->block = block;
    b->blocks.at[block].first = (uint32_t)b->steps.n;
    b->blocks.at[block].loop = b->frames.at[b->frame].loop;
}

static void end_block(struct cfg_builder *b)
{
    if (b->block != BLOCK_NONE)
        b->blocks.at[b->block].end = (uint32_t)b->steps.n;
    b->block = BLOCK_NONE;
}

static void add_step(struct cfg_builder *b, enum step_kind kind, uint32_t node)
{
    if (b->block == BLOCK_NONE)
        start_block(b, cfg__new_block(b));
    struct cfg_step step = {node, b->block, (uint8_t)kind};
    vec_push(&b->steps, &b->work, step);
}

/* ---- tasks ---- */

static void leave_all(struct cfg_builder *b, uint32_t with)
{
    const struct tree *t = b->t;
    uint32_t clause = tree_child_kind(t, with, PY_WITH_CLAUSE);
    size_t first = b->steps.n;
    for (uint32_t c = clause ? tree_first(t, clause) : 0; c; c = tree_next(t, c))
        if (t->nodes[c].kind == PY_WITH_ITEM)
            add_step(b, STEP_LEAVE, c);
    for (size_t i = first, j = b->steps.n; i + 1 < j; i++) {
        struct cfg_step swap = b->steps.at[i];
        b->steps.at[i] = b->steps.at[--j];
        b->steps.at[j] = swap;
    }
}

/* At the start of a guarded statement: a handler may see the state after the statements before
 * it. */
static void split(struct cfg_builder *b)
{
    uint32_t target = cfg__exception_target(b, b->frame);
    if (target == BLOCK_NONE || b->block == BLOCK_NONE)
        return;
    cfg__add_edge(b, target, EDGE_EXCEPTION);
    start_block(b, cfg__new_block(b));
}

/* Builds the copy of a finally body, or the leaving of a with, for exceptions, if any can get
 * there. */
static void build_exceptional(struct cfg_builder *b, uint32_t frame)
{
    struct cfg_frame *f = &b->frames.at[frame];
    if (f->dispatch == BLOCK_NONE)
        return;
    uint32_t after = cfg__new_block(b), parent = f->parent, dispatch = b->frames.at[frame].dispatch;
    uint32_t kind = b->frames.at[frame].kind, node = b->frames.at[frame].node;
    cfg__push(b, TASK_START, after, 0);
    cfg__push(b, TASK_RAISE, parent, 0);
    cfg__push(b, kind == FRAME_WITH ? TASK_LEAVE_ALL : TASK_VISIT, node, 0);
    cfg__push(b, TASK_START, dispatch, 0);
    cfg__push(b, TASK_JUMP, after, EDGE_NEXT);
}

static void raise_from(struct cfg_builder *b, uint32_t frame)
{
    uint32_t target = cfg__exception_target(b, frame);
    cfg__add_edge(b, target == BLOCK_NONE ? (uint32_t)CFG_RAISE : target, EDGE_EXCEPTION);
    end_block(b);
}

static void visit_children(struct cfg_builder *b, uint32_t child)
{
    uint32_t next = tree_next(b->t, child);
    if (next)
        cfg__push(b, TASK_CHILDREN, next, 0);
    cfg__push(b, TASK_VISIT, child, 0);
}

static void visit(struct cfg_builder *b, uint32_t node)
{
    if (py_is_statement(tree_kind(b->t, node)))
        split(b);
    if (!cfg__visit_statement(b, node))
        cfg__visit_expression(b, node);
}

static void run(struct cfg_builder *b, struct cfg_task task)
{
    switch ((enum task_kind)task.kind) {
    case TASK_VISIT:
        visit(b, task.a);
        break;
    case TASK_CHILDREN:
        visit_children(b, task.a);
        break;
    case TASK_STEP:
        add_step(b, (enum step_kind)task.b, task.a);
        break;
    case TASK_STORE:
        cfg__store(b, task.a, (enum step_kind)task.b);
        break;
    case TASK_START:
        start_block(b, task.a);
        break;
    case TASK_EDGE:
        cfg__add_edge(b, task.a, (enum edge_kind)task.b);
        break;
    case TASK_JUMP:
        if (task.a != BLOCK_NONE)
            cfg__add_edge(b, task.a, (enum edge_kind)task.b);
        end_block(b);
        break;
    case TASK_FRAME:
        b->frame = task.a;
        break;
    case TASK_SPLIT:
        split(b);
        break;
    case TASK_LEAVE_ALL:
        leave_all(b, task.a);
        break;
    case TASK_EXCEPTIONAL:
        build_exceptional(b, task.a);
        break;
    case TASK_RAISE:
        raise_from(b, task.a == UINT32_MAX ? b->frame : task.a);
        break;
    case TASK_OUT:
        cfg__jump_out(b, (enum jump_kind)task.a);
        break;
    }
}

/* ---- the result ---- */

static void fill_edges(struct cfg_builder *b, struct cfg *c, struct arena *a)
{
    uint32_t n = (uint32_t)b->edges.n;
    c->out = arena_new_array(a, struct cfg_edge, n);
    c->in = arena_new_array(a, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        c->blocks[b->edges.at[i].from].n_out++;
        c->blocks[b->edges.at[i].to].n_in++;
    }
    uint32_t out = 0, in = 0;
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        c->blocks[i].first_out = out;
        c->blocks[i].first_in = in;
        out += c->blocks[i].n_out;
        in += c->blocks[i].n_in;
        c->blocks[i].n_out = c->blocks[i].n_in = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct built_edge e = b->edges.at[i];
        struct cfg_block *from = &c->blocks[e.from], *to = &c->blocks[e.to];
        c->out[from->first_out + from->n_out++] = (struct cfg_edge){e.to, e.kind};
        c->in[to->first_in + to->n_in++] = e.from;
    }
}

static void mark_reachable(struct cfg *c, struct arena *work)
{
    uint32_t *pending = arena_new_array(work, uint32_t, c->n_blocks);
    uint32_t n = 0;
    pending[n++] = CFG_ENTRY;
    c->blocks[CFG_ENTRY].is_reachable = true;
    while (n) {
        const struct cfg_block *block = &c->blocks[pending[--n]];
        for (uint32_t i = 0; i < block->n_out; i++) {
            struct cfg_block *to = &c->blocks[c->out[block->first_out + i].to];
            if (!to->is_reachable) {
                to->is_reachable = true;
                pending[n++] = (uint32_t)(to - c->blocks);
            }
        }
    }
}

/* The slot of a node's first step, or the free slot where it belongs. */
static uint32_t slot_of_node(const struct cfg *c, uint32_t node)
{
    uint32_t at = c->is_sparse ? (uint32_t)hash_mix64(node) & c->node_mask : node - c->first_node;
    while (c->node_step[at] != STEP_NONE && c->steps[c->node_step[at]].node != node)
        at = (at + 1) & c->node_mask;
    return at;
}

/* Indexes steps by node: one slot per node, or a hash table of the steps where most nodes belong to
 * nested functions, so that a scope does not pay for all scopes inside it. */
static void index_nodes(struct cfg *c, struct arena *a)
{
    enum { NODES_PER_STEP = 16, FEW_NODES = 256 };
    uint32_t n = c->end_node - c->first_node, *same = arena_new_array(a, uint32_t, c->n_steps);
    c->is_sparse = n > FEW_NODES && n / NODES_PER_STEP > c->n_steps;
    if (c->is_sparse)
        for (n = 4; n < 2 * c->n_steps;)
            n *= 2;
    c->node_mask = n - 1;
    c->node_step = arena_new_array(a, uint32_t, n);
    memset(c->node_step, 0xFF, n * sizeof *c->node_step);
    for (uint32_t s = c->n_steps; s-- > 0;) {
        uint32_t at = slot_of_node(c, c->steps[s].node);
        same[s] = c->node_step[at];
        c->node_step[at] = s;
    }
    c->same_node = same;
}

static void finish(struct cfg_builder *b, struct cfg *c, struct arena *a)
{
    c->n_steps = (uint32_t)b->steps.n;
    c->steps = arena_dup(a, b->steps.at, b->steps.n * sizeof *b->steps.at);
    c->n_blocks = (uint32_t)b->blocks.n;
    c->blocks = arena_dup(a, b->blocks.at, b->blocks.n * sizeof *b->blocks.at);
    c->n_loops = (uint32_t)b->loops.n;
    c->loops = arena_dup(a, b->loops.at, b->loops.n * sizeof *b->loops.at);
    fill_edges(b, c, a);
    mark_reachable(c, &b->work);
    index_nodes(c, a);
}

static void begin(struct cfg_builder *b, uint32_t scope)
{
    const struct name_scope *s = &b->n->scopes[scope];
    vec_push(&b->frames, &b->work, (struct cfg_frame){.kind = FRAME_FUNCTION, .loop = LOOP_NONE});
    for (int i = 0; i < 3; i++)
        cfg__new_block(b);
    b->block = CFG_ENTRY;
    cfg__push(b, TASK_JUMP, CFG_EXIT, EDGE_NEXT);
    if (s->kind == SCOPE_MODULE) {
        uint32_t first = tree_first(b->t, 0);
        if (first)
            cfg__push(b, TASK_CHILDREN, first, 0);
        return;
    }
    uint32_t body = tree_child(b->t, s->node, FIELD_BODY);
    if (body)
        cfg__push(b, TASK_VISIT, body, 0);
    uint32_t parameters = tree_child(b->t, s->node, FIELD_PARAMETERS);
    if (parameters)
        cfg__push(b, TASK_STORE, parameters, STEP_STORE);
}

bool cfg_build(const struct names *n, uint32_t scope, const struct cfg_limits *limits,
               struct arena *a, struct cfg *out)
{
    const struct tree *t = n->tree;
    struct cfg_builder b = {.n = n, .t = t, .block = BLOCK_NONE};
    *out = (struct cfg){.names = n,
                        .scope = scope,
                        .first_node = n->scopes[scope].node,
                        .end_node = t->nodes[n->scopes[scope].node].next};
    arena_init(&b.work);
    begin(&b, scope);
    bool ok = names_spend(n, 1);
    while (ok && b.tasks.n) {
        struct cfg_task task = vec_pop(&b.tasks);
        run(&b, task);
        ok = b.steps.n <= limits->max_steps && b.blocks.n <= limits->max_blocks;
    }
    ok = ok && names_spend(n, b.steps.n + b.blocks.n);
    if (ok)
        finish(&b, out, a);
    arena_done(&b.work);
    return ok;
}

void cfg_prune(struct cfg *c, const bool *dead, struct arena *a)
{
    struct cfg_edge *out = c->out;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_blocks; i++)
        n += c->blocks[i].n_out;
    uint32_t *in = arena_new_array(a, uint32_t, n);
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        struct cfg_block *b = &c->blocks[i];
        uint32_t kept = 0;
        for (uint32_t e = b->first_out; e < b->first_out + b->n_out; e++)
            if (!dead[e])
                out[b->first_out + kept++] = out[e];
        b->n_out = kept;
        b->n_in = 0;
        b->is_reachable = false;
    }
    for (uint32_t i = 0; i < c->n_blocks; i++)
        for (uint32_t e = 0; e < c->blocks[i].n_out; e++) {
            struct cfg_block *to = &c->blocks[out[c->blocks[i].first_out + e].to];
            in[to->first_in + to->n_in++] = i;
        }
    c->in = in;
    struct arena work;
    arena_init(&work);
    mark_reachable(c, &work);
    arena_done(&work);
}

/* ---- questions ---- */

uint32_t cfg_step(const struct cfg *c, uint32_t node)
{
    if (node < c->first_node || node >= c->end_node)
        return STEP_NONE;
    return c->is_sparse ? c->node_step[slot_of_node(c, node)] : c->node_step[node - c->first_node];
}

uint32_t cfg_step_next(const struct cfg *c, uint32_t step)
{
    return c->same_node[step];
}

bool cfg_loop_holds(const struct cfg *c, uint32_t loop, uint32_t block)
{
    for (uint32_t l = c->blocks[block].loop; l != LOOP_NONE; l = c->loops[l].parent)
        if (l == loop)
            return true;
    return loop == LOOP_NONE;
}

uint32_t cfg_loop_of(const struct cfg *c, uint32_t node)
{
    for (uint32_t l = 0; l < c->n_loops; l++)
        if (c->loops[l].node == node)
            return l;
    return LOOP_NONE;
}
