/* Message normalisation: each step alone, then whole messages, then stacks. */
#include "judge/normalise.h"
#include "unit/test.h"

static const struct normalise_step *step_of(const char *name)
{
    size_t n;
    const struct normalise_step *steps = normalise_steps(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(steps[i].name, name) == 0)
            return &steps[i];
    fail_msg("no step %s", name);
    return NULL;
}

static void each_step_takes_out_its_kind_and_nothing_else(void **state)
{
    static const struct {
        const char *step, *in, *out;
    } rows[] = {
        {"ansi", "\033[1;31mFAIL\033[m: x", "FAIL: x"},
        {"ansi", "a\033]0;title\007b", "ab"},
        {"ansi", "no escapes [31m here", "no escapes [31m here"},
        {"address", "at 0x7f3a9c0010 in f", "at <addr> in f"},
        {"address", "value 0xZZ and a0x12", "value 0xZZ and a0x12"},
        {"object-id", "<Session object at <addr>>", "<Session object>"},
        {"object-id", "id 140023459871232 of 12", "id <id> of 12"},
        {"tensor", "got tensor([[1., 2.], [3., 4.]], dtype=f) here", "got <tensor> here"},
        {"tensor", "array([1.5, 2.5]) != [0.5, 1.0]", "<tensor> != <tensor>"},
        {"tensor", "shape [1,3,8] is kept", "shape [1,3,8] is kept"},
        {"tensor", "an array([ that never ends", "an array([ that never ends"},
        {"shape", "got {1,3,224,224} expected [1, 3, ?, 8]", "got <shape> expected <shape>"},
        {"shape", "torch.Size([2, 3]) and 1x3x8x8", "<shape> and <shape>"},
        {"shape", "(2, 3) but f(2) and (see note)", "<shape> but f(2) and (see note)"},
        {"shape", "conv2x2d and 0x12", "conv2x2d and <shape>"},
        {"device", "on cuda:1 and /device:GPU:0", "on <device> and <device>"},
        {"device", "device 3 is busy", "<device> is busy"},
        {"device", "cpu: no number", "cpu: no number"},
        {"path", "/usr/lib/a/conv.cc:123 failed", "conv.cc:123 failed"},
        {"path", "in C:\\src\\x\\y.py now", "in y.py now"},
        {"path", "input and/or output", "input and/or output"},
        {"passing", "file tmpab12_x in pid 4711", "file <tmp> in pid <pid>"},
        {"passing", "2026-11-21 23:32:38.123 [E] x", "[E] x"},
        {"passing", "since 2026-11-21 23:32:38Z x", "since <time> x"},
        {"passing", "took 12.5 ms, 64 bytes, 3 GiB", "took <time>, <size>, <size>"},
        {"passing", "3 nodes in 2 graphs", "3 nodes in 2 graphs"},
        {"node names", "running Conv node. Name:'Conv_3_nchwc' Status",
         "running Conv node. Name:'<name>' Status"},
        {"node names", "running Conv node. Name:'' Status",
         "running Conv node. Name:'<name>' Status"},
        {"node names", "Node (Unsqueeze_29_q) Op (QuantizeLinear) [TypeInferenceError]",
         "Node (<name>) Op (QuantizeLinear) [TypeInferenceError]"},
        {"node names", "Node () Op (Scan) and in node (/LayerNormFusion/) is",
         "Node (<name>) Op (Scan) and in node (<name>) is"},
        {"node names", "a Conv node (of rank 3 and Node (never closed",
         "a Conv node (of rank 3 and Node (never closed"},
        {"operands", "of input parameter (Exp_35_q_to_dq) of operator (MaxPool)",
         "of input parameter (<name>) of operator (MaxPool)"},
        {"operands",
         "In Node, (\"\", QLinearAveragePool, \"com.microsoft\", 1) : (\"a_q\": "
         "tensor(uint8),\"\",) -> "
         "(\"y\": tensor(uint8),) , Error Unrecognized attribute: dilations",
         "In Node, (\"\", QLinearAveragePool, \"com.microsoft\", 1) : <operands>, Error "
         "Unrecognized "
         "attribute: dilations"},
        {"operands", "input parameter (never closed", "input parameter (never closed"},
        {"ill-typed", "model. Type Error: Type 'tensor(int64)' of input parameter",
         "model. Type Error: Type 'tensor(<type>)' of input parameter"},
        {"ill-typed", "Type Error: bound to different types (tensor(float) and tensor(double) in",
         "Type Error: bound to different types (tensor(<type>) and tensor(<type>) in"},
        {"ill-typed", "Type 'tensor(int64)' is no Type Error: x",
         "Type 'tensor(int64)' is no Type Error: x"},
        {"generated", "tensor(int32) tensor(uint8) int64_t", "tensor(int32) tensor(uint8) int64_t"},
        {"generated", "node conv_12 reads t17", "node conv_<n> reads t<n>"},
        {"generated", "key 9f86d081884c7d65 lost", "key <hex> lost"},
        {"generated", "float16 int8 Conv2d log2 f32 e4m3", "float16 int8 Conv2d log2 f32 e4m3"},
        {"generated", "INVALID_ARGUMENT_2 stays", "INVALID_ARGUMENT_2 stays"},
        {"number", "expected 3 got -1.5e-3 at 17", "expected <n> got <n> at <n>"},
        {"number", "Conv2d opset 13, v1.2", "Conv2d opset <n>, v1.2"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf out = {0};
        normalise_step_run(step_of(rows[i].step), str_of(rows[i].in), &out);
        if (!str_is(strbuf_str(&out), rows[i].out))
            fail_msg("row \"%s\": \"%s\"", rows[i].in, out.at ? out.at : "");
        strbuf_done(&out);
    }
}

static void same_failure_has_same_text(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"[ONNXRuntimeError] : 1 : FAIL : Node (conv_3) Op (Conv) [ShapeInferenceError] {1,3,8,8}",
         "[ONNXRuntimeError] : 1 : FAIL : Node (conv_41) Op (Conv) [ShapeInferenceError] "
         "{2,64,7,7}",
         true},
        {"Type 'tensor(float16)' of input (t3) is invalid",
         "Type 'tensor(double)' of input (t9) is invalid", false},
        {"Type Error: Type 'tensor(int8)' of input parameter (a) of operator (MaxPool) is invalid",
         "Type Error: Type 'tensor(uint4)' of input parameter (b_q_to_dq) of operator (MaxPool) is "
         "invalid",
         true},
        {"Type Error: Type 'tensor(int8)' of input parameter (a) of operator (MaxPool) is invalid",
         "Type Error: Type 'tensor(int8)' of input parameter (a) of operator (ReduceMax) is "
         "invalid",
         false},
        {"/a/b/conv.cc:120 Check failed: 3 == 4", "/c/conv.cc:188 Check failed: 7 == 9", true},
        {"Conv failed", "ConvTranspose failed", false},
        {"\033[31merror\033[0m   at\n 0x12ab", "error at 0x77f0", true},
        {"Node (Unsqueeze_29_q) Op (QuantizeLinear) output_dtype INT8",
         "Node (Reshape_8_q) Op (QuantizeLinear) output_dtype INT8", true},
        {"Node (a) Op (QuantizeLinear) output_dtype INT8", "Node (a) Op (Cast) output_dtype INT8",
         false},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str x = normalise_message(str_of(rows[i].a), NORMALISE_VERSION, &a);
        struct str y = normalise_message(str_of(rows[i].b), NORMALISE_VERSION, &a);
        if (str_eq(x, y) != rows[i].same)
            fail_msg("row \"%s\": " STR_FMT " / " STR_FMT, rows[i].a, STR_ARG(x), STR_ARG(y));
    }
    arena_done(&a);
}

static void normalising_twice_changes_nothing(void **state)
{
    static const char *const rows[] = {
        "node conv_12 at 0x7f [1,2,3] took 3 ms in /tmp/tmpabc123/x.py:12 cuda:0",
        "tensor([1.5, 2]) <Session object at 0x7f00> 9f86d081884c7d65",
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str once = normalise_message(str_of(rows[i]), NORMALISE_VERSION, &a);
        ASSERT_ROW(str_eq(once, normalise_message(once, NORMALISE_VERSION, &a)), rows[i]);
    }
    arena_done(&a);
}

static void long_messages_are_cut(void **state)
{
    struct arena a;
    struct strbuf b = {0};
    (void)state;
    arena_init(&a);
    for (int i = 0; i < 100000; i++)
        strbuf_adds(&b, "word ");
    assert_true(normalise_message(strbuf_str(&b), NORMALISE_VERSION, &a).n <= NORMALISE_MAX);
    strbuf_done(&b);
    arena_done(&a);
}

static void frames_are_functions_of_the_project(void **state)
{
    static const struct {
        const char *stack, *out;
        size_t n;
    } rows[] = {
        {"#0 0x7f12 in raise () from libc\n#1 0x7f13 in abort ()\n#2 0x55 in "
         "onnx::Conv<float>::Run(int, "
         "char) at conv.cc:12\n#3 0x56 in onnx::Session::Run(void)",
         "onnx::Conv::Run < onnx::Session::Run", 3},
        {"libort.so(_ZN3ort4ConvEv+0x1b) [0x7f12]\nlibc.so.6(abort+0x12) "
         "[0x7f]\nlibort.so(_ZN3ort3RunEv+0x2) "
         "[0x7f13]",
         "ort::Conv < ort::Run", 3},
        {"functional.py:2953 select\nemitted_torch.py:38 forward\n",
         "functional.py select < emitted_torch.py forward", 2},
        {"  File \"/x/y.py\", line 3, in <module>\n  File \"/x/z.py\", line 12, in compile_graph\n",
         "compile_graph", 3},
        {"lib.so(_ZN2ns3PadIfE3RunEi+0x1) [0x1]\n_ZNK2ns1gEv\n_ZN99x\n_Z1fv",
         "ns::Pad < ns::g < _ZN99x", 3},
        {"a\nb\nc\nd", "a < b", 2},
        {"/lib/libc.so.6(+0x8a) [0x7f]\n/x/libonnxruntime.so.1.31.1(+0xdc91fb)[0x7f]\n"
         "/x/libonnxruntime.so.1.31.1(+0xadc375)[0x7f]\nassay(+0x12)[0x5]\n",
         "libonnxruntime+0xdc91fb", 3},
        {"libe.so(+0x12)[0x7f]\nlibe.so(_ZN2ns3RunEv+0x1) [0x7f]\nlibe.so(+0x13)[0x7f]",
         "libe+0x12 < ns::Run", 3},
        {"/usr/bin/assay(worker_run+0x3)[0x5]\nassay(+0x7)[0x5]", "", 3},
        {"", "", 3},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str s = normalise_frames(str_of(rows[i].stack), rows[i].n, true, &a);
        if (!str_is(s, rows[i].out))
            fail_msg("row %zu: \"" STR_FMT "\"", i, STR_ARG(s));
    }
    arena_done(&a);
}

static void a_wrapped_error_is_found(void **state)
{
    static const struct {
        const char *message, *wrapped;
    } rows[] = {
        {"making fake tensors\n call f(x): got RuntimeError('rshift: no bool')\n Hint: y",
         "rshift: no bool"},
        {"in f: got ValueError(\"it's 3\")", "it's 3"},
        {"in f: got RuntimeError('cut of", "cut of"},
        {"RuntimeError('told before'): got nothing", ""},
        {"no error", ""},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_is(normalise_wrapped(str_of(rows[i].message)), rows[i].wrapped),
                   rows[i].message);
}

TEST_SUITE(judge_normalise, TEST(a_wrapped_error_is_found),
           TEST(each_step_takes_out_its_kind_and_nothing_else), TEST(same_failure_has_same_text),
           TEST(normalising_twice_changes_nothing), TEST(long_messages_are_cut),
           TEST(frames_are_functions_of_the_project))
