/* The corpus of broken models: which of reader, checker and inference refuses each, and what it
 * says. */
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "unit/test.h"

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
        {"cyclic.onnx", STAGE_READ, ERR_DATA, "node 0 (Relu) depends on itself"},
        {"self_loop.onnx", STAGE_READ, ERR_DATA, "depends on itself"},
        {"two_producers.onnx", STAGE_READ, ERR_DATA, "'a' is produced twice"},
        {"duplicate_input.onnx", STAGE_READ, ERR_DATA, "input[1]: 'x' is given twice"},
        {"duplicate_initializer.onnx", STAGE_READ, ERR_DATA, "initializer[1]: 'w' is given twice"},
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
        {"unsorted.onnx", STAGE_CHECK, ERR_DATA, "must be topologically sorted"},
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

TEST_SUITE(onnx_stages, TEST(broken_models_end_in_one_message_with_the_place))
