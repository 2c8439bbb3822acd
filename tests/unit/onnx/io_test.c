/* Reading and writing files; the corpus of broken models with what each must say. */
#include "base/file.h"
#include "base/path.h"
#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "unit/test.h"

#include <unistd.h>

#define CORPUS ASSAY_SOURCE_DIR "/fuzz/corpus/model/"

enum stage { STAGE_READ, STAGE_CHECK, STAGE_INFER, STAGE_DONE };

static enum stage run_stages(const char *file, struct arena *a, struct model **m, struct err *e)
{
    if (!model_read_file(arena_printf(a, CORPUS "%s", file), a, m, e))
        return STAGE_READ;
    if (!check_model(*m, e))
        return STAGE_CHECK;
    return infer_model(*m, e) ? STAGE_DONE : STAGE_INFER;
}

static void broken_models_end_in_one_message_with_the_place(void **state)
{
    static const struct {
        const char *file;
        enum stage stage;
        enum err_code code;
        const char *says;
    } rows[] = {
        {"empty.onnx", STAGE_READ, ERR_DATA, "no graph"},
        {"text.onnx", STAGE_READ, ERR_DATA, "wire type"},
        {"truncated.onnx", STAGE_READ, ERR_DATA, "(file cut off?), at byte "},
        {"absent.onnx", STAGE_READ, ERR_DATA, "cannot open"},
        {"cyclic.onnx", STAGE_READ, ERR_DATA, "node 0 (Relu) waits for itself"},
        {"self_loop.onnx", STAGE_READ, ERR_DATA, "waits for itself"},
        {"two_producers.onnx", STAGE_READ, ERR_DATA, "'a' is produced twice"},
        {"duplicate_input.onnx", STAGE_READ, ERR_DATA, "input[1]: 'x' stands twice"},
        {"duplicate_initializer.onnx", STAGE_READ, ERR_DATA, "initializer[1]: 'w' stands twice"},
        {"dangling_input.onnx", STAGE_READ, ERR_DATA, "reads 'ghost'"},
        {"dangling_output.onnx", STAGE_READ, ERR_DATA, "'nothing', which nothing produces"},
        {"wrong_type.onnx", STAGE_CHECK, ERR_DATA, "input B is int64"},
        {"wrong_dtype_for_op.onnx", STAGE_CHECK, ERR_DATA, "input X is int32"},
        {"wrong_declared_shape.onnx", STAGE_INFER, ERR_DATA, "declared [3,2] but is [2,3]"},
        {"wrong_declared_type.onnx", STAGE_INFER, ERR_DATA, "declared double but is float"},
        {"unknown_operator.onnx", STAGE_CHECK, ERR_UNSUPPORTED, "Frobnicate"},
        {"unknown_attribute.onnx", STAGE_CHECK, ERR_DATA, "'beta' is unknown in version 14"},
        {"missing_attribute.onnx", STAGE_CHECK, ERR_DATA, "'kernel_shape' is missing"},
        {"attribute_of_other_kind.onnx", STAGE_CHECK, ERR_DATA, "'alpha' is string"},
        {"too_many_inputs.onnx", STAGE_CHECK, ERR_DATA, "2 inputs"},
        {"deprecated_operator.onnx", STAGE_CHECK, ERR_DATA, "deprecated in opset 17"},
        {"opset_old.onnx", STAGE_READ, ERR_UNSUPPORTED, "opset 6"},
        {"opset_new.onnx", STAGE_READ, ERR_UNSUPPORTED, "opset 99"},
        {"no_opset.onnx", STAGE_READ, ERR_DATA, "opset 0"},
        {"external_missing.onnx", STAGE_READ, ERR_DATA, "'absent.bin' is missing"},
        {"external_escape.onnx", STAGE_READ, ERR_DATA, "outside the model's folder"},
        {"external_absolute.onnx", STAGE_READ, ERR_DATA, "outside the model's folder"},
        {"external_folder.onnx", STAGE_READ, ERR_DATA, "outside the model's folder"},
        {"external_offset.onnx", STAGE_READ, ERR_DATA, "bytes 4 to 12 of a file of 8"},
        {"external_huge_offset.onnx", STAGE_READ, ERR_DATA, "of a file of 8"},
        {"short_raw_data.onnx", STAGE_READ, ERR_DATA, "16 bytes of raw_data"},
        {"negative_dim.onnx", STAGE_READ, ERR_DATA, "dim is negative"},
        {"overflowing_dims.onnx", STAGE_READ, ERR_DATA, "exceeds"},
        {"unknown_dtype.onnx", STAGE_READ, ERR_UNSUPPORTED, "data_type 99"},
        {"name_with_nul.onnx", STAGE_READ, ERR_DATA, "NUL or no UTF-8"},
        {"name_not_utf8.onnx", STAGE_READ, ERR_DATA, "NUL or no UTF-8"},
        {"sparse_initializer.onnx", STAGE_READ, ERR_UNSUPPORTED, "sparse_initializer"},
        {"training_info.onnx", STAGE_READ, ERR_UNSUPPORTED, "training_info"},
        {"sequence_input.onnx", STAGE_CHECK, ERR_UNSUPPORTED, "no tensor"},
        {"map_input.onnx", STAGE_READ, ERR_UNSUPPORTED, "map types"},
        {"nested_graphs_55kB.onnx", STAGE_READ, ERR_LIMIT, "nested more than 200 deep"},
        {"nested_subgraphs_20.onnx", STAGE_READ, ERR_LIMIT, "nested more than 16 deep"},
        {"function_other_opset.onnx", STAGE_READ, ERR_UNSUPPORTED, "imports opset 13"},
        {"function_recursive.onnx", STAGE_READ, ERR_LIMIT, "more than 64 deep"},
        {"bad_cast_target.onnx", STAGE_INFER, ERR_DATA, "to is 77"},
        {"bad_pads.onnx", STAGE_INFER, ERR_DATA, "pads holds -1"},
        {"broadcast_mismatch.onnx", STAGE_INFER, ERR_DATA, "dims 2 and 3 cannot be broadcast"},
        {"unsorted.onnx", STAGE_DONE, ERR_NONE, ""},
        {"external_good.onnx", STAGE_DONE, ERR_NONE, ""},
        {"seed_function.onnx", STAGE_DONE, ERR_NONE, ""},
        {"seed_symbolic.onnx", STAGE_DONE, ERR_NONE, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct model *m;
        struct err e = {.code = ERR_NONE};
        arena_init(&a);
        ASSERT_ROW(run_stages(rows[i].file, &a, &m, &e) == rows[i].stage, rows[i].file);
        ASSERT_ROW(rows[i].stage == STAGE_DONE || e.code == rows[i].code, rows[i].file);
        ASSERT_ROW(strstr(e.text, rows[i].says) != NULL, rows[i].file);
        ASSERT_ROW(rows[i].stage != STAGE_READ || strstr(e.text, rows[i].file), rows[i].file);
        arena_done(&a);
    }
}

static void written_models_read_back_the_same(void **state)
{
    static const char *const files[] = {"seed_conv.onnx",    "seed_symbolic.onnx", "seed_if.onnx",
                                        "seed_loop.onnx",    "seed_types.onnx",    "seed_int4.onnx",
                                        "seed_strings.onnx", "seed_pool.onnx",     "unsorted.onnx",
                                        "seed_lstm.onnx",    "seed_function.onnx"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct arena a;
        struct model *m, *again;
        struct err e;
        struct strbuf first = {0}, second = {0};
        arena_init(&a);
        const char *path = arena_printf(&a, CORPUS "%s", files[i]);
        ASSERT_ROW(model_read_file(path, &a, &m, &e), files[i]);
        ASSERT_ROW(model_write(m, true, &first, &e), files[i]);
        ASSERT_ROW(model_read(strbuf_str(&first), NULL, &a, &again, &e), files[i]);
        struct hash before = model_hash(m), after = model_hash(again);
        ASSERT_ROW(hash_eq(&before, &after), files[i]);
        ASSERT_ROW(model_write(again, true, &second, &e), files[i]);
        ASSERT_ROW(str_eq(strbuf_str(&first), strbuf_str(&second)), files[i]);
        strbuf_done(&first);
        strbuf_done(&second);
        arena_done(&a);
    }
}

static void every_cut_of_a_model_is_refused_or_read(void **state)
{
    struct arena a;
    struct str bytes;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(file_read(CORPUS "seed_loop.onnx", 1 << 20, &a, &bytes, &e));
    for (size_t n = 0; n < bytes.n; n++) {
        struct arena one;
        struct model *m;
        arena_init(&one);
        e.text[0] = '\0';
        bool ok = model_read((struct str){bytes.at, n}, NULL, &one, &m, &e);
        assert_true(ok || e.text[0]);
        arena_done(&one);
    }
    arena_done(&a);
}

static void external_data_is_read_in_place(void **state)
{
    struct arena a;
    struct model *m;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(model_read_file(CORPUS "external_good.onnx", &a, &m, &e));
    const struct tensor *w = m->graph->values.at[graph_find_value(m->graph, STR("w"))].initializer;
    assert_true(tensor_get_double(w, 0) == 1 && tensor_get_double(w, 1) == -2);
    arena_done(&a);
}

static void links_out_of_the_folder_are_refused(void **state)
{
    struct arena a;
    const char *dir;
    struct str bytes;
    struct model *m;
    struct err e = {.code = ERR_NONE};
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "external", &dir, &e));
    assert_true(file_read(CORPUS "external_good.onnx", 1 << 20, &a, &bytes, &e));
    assert_int_equal(symlink(CORPUS "weights.bin", path_join(&a, dir, "weights.bin")), 0);
    assert_false(model_read(bytes, dir, &a, &m, &e));
    assert_non_null(strstr(e.text, "link out of the model's folder"));
    assert_true(file_remove_tree(dir, &e));
    arena_done(&a);
}

static void functions_are_inlined_with_their_attributes(void **state)
{
    struct arena a;
    struct model *m;
    struct err e;
    struct eval_result r;
    static const double minus_two[] = {-2, 3};
    static const int64_t dims[] = {2};
    (void)state;
    arena_init(&a);
    assert_true(model_read_file(CORPUS "seed_function.onnx", &a, &m, &e));
    assert_int_equal(m->graph->nodes.n, 2);
    struct named_tensor x = {.name = STR("x")};
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, minus_two, &a, &x.tensor, &e));
    const struct eval_options options = {0};
    assert_true(eval_run(m, &(struct tensors){&x, 1}, &options, &a, &r, &e));
    const struct value *y = &r.values[m->graph->outputs.at[0]];
    assert_true(y->f[0] == -2 && y->f[1] == 6); /* leaky slope 0.5 of twice x */
    arena_done(&a);
}

TEST_SUITE(onnx_io, TEST(broken_models_end_in_one_message_with_the_place),
           TEST(written_models_read_back_the_same), TEST(every_cut_of_a_model_is_refused_or_read),
           TEST(external_data_is_read_in_place), TEST(links_out_of_the_folder_are_refused),
           TEST(functions_are_inlined_with_their_attributes))
