/* How a hunt reads and changes the text of a key. */
#include "hunt/runner/key.h"

#include "unit/test.h"

static void the_coarse_key_leaves_out_what_feeds_the_culprit(void **state)
{
    static const struct {
        const char *key, *coarse;
    } rows[] = {
        {"wrong-result|e|reference|Conv<Pad,Relu|float|all|value small",
         "wrong-result|e|reference|Conv|float|all|value"},
        {"wrong-exception|e|FAIL|no <n>|f|all|q|Conv<Pad",
         "wrong-exception|e|FAIL|no <n>|f|all|q|Conv"},
        {"native-crash|e|signal 8||g|off||Exp<Abs@libe+0x12",
         "native-crash|e|signal 8||g|off||Exp"},
        {"resource|e|timeout-cpu|all||Conv<Pad", "resource|e|timeout-cpu|all||Conv"},
        {"another form", "another form"},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_is(key_coarse(str_of(rows[i].key), &a), rows[i].coarse), rows[i].key);
    arena_done(&a);
}

static void what_an_optimiser_changes_by_design_is_one_bug(void **state)
{
    static const char *const rows[] = {
        "wrong-result|e|reference|Dequantize+Conv+Quantize||basic|value large|WeightQuantization",
        "wrong-result|e|reference|Gemm||extended|value small|WeightQuantization"};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_is(key_by_design(str_of(rows[i]), &a),
                          "wrong-result|e|reference||||value|WeightQuantization"),
                   rows[i]);
    arena_done(&a);
}

/* The final key of a bug does not depend on which levels ran, nor on the build; without an
 * optimiser at fault the operators round the place and the dtype stay. */
static void the_final_key_names_level_and_optimiser(void **state)
{
    static const struct {
        const char *key, *mode, *pass, *final;
    } rows[] = {
        {"wrong-exception|e|FAIL|no|f|all|Cast,q|", "extended", "QDQFusion",
         "wrong-exception|e|FAIL|no|f|extended|QDQFusion|"},
        {"wrong-exception|e|FAIL|no|f|all|Cast,q|", "", "",
         "wrong-exception|e|FAIL|no|f|all|Cast,q|"},
        {"native-crash|e|signal 8||g|all||Exp@libe+0x12", "off", "",
         "native-crash|e|signal 8||g|off||Exp"},
        {"wrong-result|e|reference|Conv|float|all|value small", "basic", "ConvMulFusion",
         "wrong-result|e|reference|Conv||basic|value small|ConvMulFusion"},
        {"wrong-result|e|reference|Conv|float|all|value small", "off", "",
         "wrong-result|e|reference|Conv|float|off|value small"},
        {"resource|e|timeout-cpu|all||Conv", "all", "P", "resource|e|timeout-cpu|all||Conv|P"},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str final =
            key_final(str_of(rows[i].key), str_of(rows[i].mode), str_of(rows[i].pass), &a);
        if (!str_is(final, rows[i].final))
            fail_msg("row %zu: " STR_FMT, i, STR_ARG(final));
    }
    arena_done(&a);
}

/* The key that rules 3 wrote: ids in older stores and files of known defects still name the bug. */
static void older_keys_can_be_told(void **state)
{
    static const struct {
        const char *key, *detail, *old;
    } rows[] = {
        {"wrong-exception|e|FAIL|no|f|all|Cast,q|Conv<Pad", "",
         "wrong-exception|e|FAIL|no|f|all|Conv<Pad"},
        {"native-crash|e|abort 6|terminate called||all||LSTM@libe+0x12", "libe+0x12",
         "native-crash|e|abort 6|libe+0x12|terminate called|LSTM"},
        {"native-crash|e|signal 8||ns::Pad::Run|off||", "",
         "native-crash|e|signal 8|ns::Pad::Run|"},
        {"wrong-result|e|reference|Conv|float|all|value small", "",
         "wrong-result|e|reference|Conv|float|all|value small"},
        {"resource|e|timeout-cpu|all||Conv", "", "resource|e|timeout-cpu|all||Conv"},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str old = key_of_rules_3(str_of(rows[i].key), str_of(rows[i].detail), &a);
        if (!str_is(old, rows[i].old))
            fail_msg("row %zu: " STR_FMT, i, STR_ARG(old));
    }
    arena_done(&a);
}

/* Rules 5 kept the dtype of a wrong result whose optimiser is known. */
static void keys_of_rules_5_keep_the_dtype(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    struct str key = key_of_rules_5(STR("wrong-result|e|reference|Conv|float|all|value small"),
                                    STR("basic"), STR("ConvMulFusion"), &a);
    assert_true(str_is(key, "wrong-result|e|reference|Conv|float|basic|value small|ConvMulFusion"));
    arena_done(&a);
}

/* Rules 4 did not say which input a producer feeds. */
static void keys_without_edges_can_be_told(void **state)
{
    static const struct {
        const char *key, *old;
    } rows[] = {
        {"wrong-exception|e|FAIL|a:b<c|f|all|q|Conv<W:Pad,Relu",
         "wrong-exception|e|FAIL|a:b<c|f|all|q|Conv<Pad,Relu"},
        {"resource|e|timeout-cpu|all||Conv<B:Pad|P", "resource|e|timeout-cpu|all||Conv<Pad|P"},
        {"native-crash|e|signal 8||g|off||Exp", "native-crash|e|signal 8||g|off||Exp"},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_is(key_of_rules_4(str_of(rows[i].key), &a), rows[i].old), rows[i].key);
    arena_done(&a);
}

/* Messages of two releases of ONNX Runtime, as normalised, and wrong values of one output. */
static void one_bug_looks_different_in_two_runs(void **state)
{
    static const struct {
        const char *name, *key, *other;
        bool same_output, alike;
    } rows[] = {
        {"status and a call",
         "wrong-exception|o|LRN|float|FAIL|while running LRN: X_shape.NumDimensions() was false",
         "wrong-exception|o|LRN|float|RUNTIME|while running LRN: X->NumDimensions() was false",
         false, true},
        {"another operator", "wrong-exception|o|LRN|float|FAIL|no such shape",
         "wrong-exception|o|Pad|float|FAIL|no such shape", true, false},
        {"another dtype", "wrong-exception|o|LRN|float|FAIL|no such shape",
         "wrong-exception|o|LRN|double|FAIL|no such shape", true, false},
        {"another reason", "wrong-exception|o|LRN|float|FAIL|the scale must match the axis",
         "wrong-exception|o|LRN|float|FAIL|no kernel for this dtype", true, false},
        {"a crash of another kind", "native-crash|o|LRN|float|abort 6",
         "native-crash|o|LRN|float|signal 11", true, false},
        {"the same", "wrong-result|o|LRN|float|value", "wrong-result|o|LRN|float|value", false,
         true},
        {"another culprit", "wrong-result|o|MatMul<Slice|float|value",
         "wrong-result|o|Slice+MatMul|float|value", true, true},
        {"and another output", "wrong-result|o|MatMul<Slice|float|value",
         "wrong-result|o|Slice+MatMul|float|value", false, false},
        {"another kind", "wrong-result|o|MatMul<Slice|float|value",
         "wrong-result|o|Slice+MatMul|float|shape", true, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(key_is_alike(str_of(rows[i].key), str_of(rows[i].other), rows[i].same_output) ==
                       rows[i].alike,
                   rows[i].name);
}

TEST_SUITE(hunt_key, TEST(what_an_optimiser_changes_by_design_is_one_bug),
           TEST(one_bug_looks_different_in_two_runs), TEST(keys_of_rules_5_keep_the_dtype),
           TEST(keys_without_edges_can_be_told),
           TEST(the_coarse_key_leaves_out_what_feeds_the_culprit),
           TEST(the_final_key_names_level_and_optimiser), TEST(older_keys_can_be_told))
