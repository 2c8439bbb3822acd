/*
 * The parts that build control flow: blocks, edges, frames (loop, with, except, finally) and the
 * stack of tasks. Knows no form of statement or expression.
 */
#include "python/cfg_p.h"

void cfg__push(struct cfg_builder *b, enum task_kind kind, uint32_t x, uint32_t y)
{
    struct cfg_task task = {(uint8_t)kind, x, y};
    vec_push(&b->tasks, &b->work, task);
}

uint32_t cfg__new_block(struct cfg_builder *b)
{
    struct cfg_block block = {.first = 0, .end = 0, .loop = b->frames.at[b->frame].loop};
    vec_push(&b->blocks, &b->work, block);
    return (uint32_t)b->blocks.n - 1;
}

void cfg__add_edge(struct cfg_builder *b, uint32_t to, enum edge_kind kind)
{
    if (b->block == BLOCK_NONE)
        return;
    struct built_edge edge = {b->block, to, (uint8_t)kind};
    vec_push(&b->edges, &b->work, edge);
}

/* ---- frames ---- */

uint32_t cfg__new_frame(struct cfg_builder *b, enum frame_kind kind, uint32_t parent, uint32_t node)
{
    struct cfg_frame frame = {.kind = (uint8_t)kind,
                              .parent = parent,
                              .node = node,
                              .loop = b->frames.at[parent].loop,
                              .dispatch = BLOCK_NONE,
                              .on_break = BLOCK_NONE,
                              .on_continue = BLOCK_NONE};
    vec_push(&b->frames, &b->work, frame);
    return (uint32_t)b->frames.n - 1;
}

uint32_t cfg__new_loop(struct cfg_builder *b, uint32_t node, uint32_t head, uint32_t after)
{
    uint32_t frame = cfg__new_frame(b, FRAME_LOOP, b->frame, node);
    vec_push(&b->loops, &b->work,
             (struct cfg_loop){node, b->frames.at[b->frame].loop, head, false});
    b->frames.at[frame].loop = (uint32_t)b->loops.n - 1;
    b->frames.at[frame].on_break = after;
    b->frames.at[frame].on_continue = head;
    return frame;
}

/* Can anything outside this frame see an exception? */
static bool is_guarded(const struct cfg_builder *b, uint32_t frame)
{
    for (; frame; frame = b->frames.at[frame].parent)
        if (b->frames.at[frame].kind == FRAME_EXCEPT || b->frames.at[frame].kind == FRAME_FINALLY)
            return true;
    return false;
}

uint32_t cfg__exception_target(struct cfg_builder *b, uint32_t frame)
{
    if (!is_guarded(b, frame))
        return BLOCK_NONE;
    while (b->frames.at[frame].kind == FRAME_LOOP)
        frame = b->frames.at[frame].parent;
    if (b->frames.at[frame].dispatch == BLOCK_NONE) {
        uint32_t block = cfg__new_block(b);
        b->frames.at[frame].dispatch = block;
    }
    return b->frames.at[frame].dispatch;
}

static void unwind(struct cfg_builder *b, enum frame_kind until, uint32_t *target)
{
    /* Collected from inside out, then reversed: the innermost frame is left first. */
    size_t first = b->tasks.n;
    uint32_t frame = b->frame;
    for (; frame; frame = b->frames.at[frame].parent) {
        const struct cfg_frame *f = &b->frames.at[frame];
        if (f->kind == FRAME_LOOP && until == FRAME_LOOP)
            break;
        if (f->kind == FRAME_WITH) {
            cfg__push(b, TASK_FRAME, f->parent, 0);
            cfg__push(b, TASK_LEAVE_ALL, f->node, 0);
        } else if (f->kind == FRAME_FINALLY) {
            cfg__push(b, TASK_FRAME, f->parent, 0);
            cfg__push(b, TASK_VISIT, f->node, 0);
        }
    }
    for (size_t i = first, j = b->tasks.n; i + 1 < j; i++) {
        struct cfg_task swap = b->tasks.at[i];
        b->tasks.at[i] = b->tasks.at[--j];
        b->tasks.at[j] = swap;
    }
    *target = frame;
}

/* Leaves by return, break or continue, through every finally and with on the way. */
void cfg__jump_out(struct cfg_builder *b, enum jump_kind jump)
{
    uint32_t here = b->frame, frame;
    size_t at = b->tasks.n;
    cfg__push(b, TASK_FRAME, here, 0);
    cfg__push(b, TASK_JUMP, CFG_EXIT, EDGE_NEXT);
    unwind(b, jump == JUMP_RETURN ? FRAME_FUNCTION : FRAME_LOOP, &frame);
    if (jump == JUMP_RETURN)
        return;
    struct cfg_task *go = &b->tasks.at[at + 1];
    if (!frame) /* break outside a loop: the text is damaged */
        return;
    const struct cfg_frame *loop = &b->frames.at[frame];
    go->a = jump == JUMP_BREAK ? loop->on_break : loop->on_continue;
    go->b = jump == JUMP_BREAK ? EDGE_NEXT : EDGE_BACK;
    if (jump == JUMP_BREAK && loop->loop != LOOP_NONE)
        b->loops.at[loop->loop].has_break = true;
}
