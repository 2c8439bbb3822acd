/* Shared by the files that build struct cfg: the tasks and frames. */
#ifndef PYTHON_CFG_P_H
#define PYTHON_CFG_P_H

#include "base/vec.h"
#include "python/cfg.h"

enum task_kind {
    TASK_VISIT,       /* node a */
    TASK_CHILDREN,    /* node a, then its next siblings */
    TASK_STEP,        /* step of node a, kind b */
    TASK_STORE,       /* stores of all targets in the tree a, with step kind b */
    TASK_START,       /* block a begins */
    TASK_EDGE,        /* edge to block a, kind b; the block goes on */
    TASK_JUMP,        /* like TASK_EDGE, but the block ends; BLOCK_NONE: it only ends */
    TASK_FRAME,       /* frame a becomes current */
    TASK_SPLIT,       /* a point that handlers may see */
    TASK_LEAVE_ALL,   /* the items of with statement a */
    TASK_EXCEPTIONAL, /* the exceptional way out of frame a, when used */
    TASK_RAISE,       /* raise from frame a; UINT32_MAX: from the current one */
    TASK_OUT,         /* enum jump_kind a */
};

enum jump_kind { JUMP_RETURN, JUMP_BREAK, JUMP_CONTINUE };

struct cfg_task {
    uint8_t kind;
    uint32_t a, b;
};

enum frame_kind { FRAME_FUNCTION, FRAME_LOOP, FRAME_WITH, FRAME_EXCEPT, FRAME_FINALLY };

struct cfg_frame {
    uint8_t kind;                   /* enum frame_kind */
    uint32_t parent;                /* 0: the function */
    uint32_t node;                  /* WITH: the statement; FINALLY: its body */
    uint32_t loop;                  /* innermost loop inside this frame */
    uint32_t dispatch;              /* where exceptions raised inside go; made at first use */
    uint32_t on_break, on_continue; /* LOOP */
};

struct built_edge {
    uint32_t from, to;
    uint8_t kind;
};

struct cfg_builder {
    const struct names *n;
    const struct tree *t;
    struct arena work;
    VEC(struct cfg_task) tasks;
    VEC(struct cfg_frame) frames;
    VEC(struct cfg_block) blocks;
    VEC(struct cfg_step) steps;
    VEC(struct built_edge) edges;
    VEC(struct cfg_loop) loops;
    VEC(uint32_t) targets;
    uint32_t block; /* being filled; BLOCK_NONE after a jump */
    uint32_t frame;
};

void cfg__push(struct cfg_builder *b, enum task_kind kind, uint32_t x, uint32_t y);
uint32_t cfg__new_block(struct cfg_builder *b);
uint32_t cfg__new_frame(struct cfg_builder *b, enum frame_kind kind, uint32_t parent,
                        uint32_t node);
void cfg__add_edge(struct cfg_builder *b, uint32_t to, enum edge_kind kind);
void cfg__jump_out(struct cfg_builder *b, enum jump_kind jump);

/* The block that takes an exception raised in this frame; BLOCK_NONE: nothing in the function takes
 * it. */
uint32_t cfg__exception_target(struct cfg_builder *b, uint32_t frame);

/* False: the node is no statement. */
bool cfg__visit_statement(struct cfg_builder *b, uint32_t node);
void cfg__visit_expression(struct cfg_builder *b, uint32_t node);

/* Pushes the tasks that write to a target tree: evaluating objects and indices, storing each name
 * or place. */
void cfg__store(struct cfg_builder *b, uint32_t target, enum step_kind kind);

/* A loop over `clause` (for, for_in, while): makes its frame and loop entry. The caller makes the
 * blocks `after` and `head`. */
uint32_t cfg__new_loop(struct cfg_builder *b, uint32_t node, uint32_t head, uint32_t after);

#endif
