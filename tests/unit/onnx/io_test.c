/* Reading and writing files. */
#include "base/file.h"
#include "base/path.h"
#include "onnx/io.h"
#include "unit/test.h"

#include <unistd.h>

#define CORPUS ASSAY_SOURCE_DIR "/fuzz/corpus/model/"

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

/* Rows say where the link weights.bin leads; top/model is the model's folder, and top/model-too a
 * folder whose name begins like it. */
static void links_out_of_the_folder_are_refused(void **state)
{
    static const struct {
        const char *name, *link, *to;
        bool is_refused;
    } rows[] = {
        {"another tree", "model/weights.bin", CORPUS "weights.bin", true},
        {"the folder above", "model/weights.bin", "../weights.bin", true},
        {"a folder whose name begins alike", "model/weights.bin", "../model-too/weights.bin", true},
        {"within the folder", "model/weights.bin", "w/weights.bin", false},
        {"out and in again", "model/weights.bin", "../model/w/weights.bin", false},
    };
    static const char *const places[] = {"model-too/weights.bin", "model/w/weights.bin",
                                         "weights.bin"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        const char *top;
        struct str bytes, weights;
        struct model *m;
        struct err e = {.code = ERR_NONE};
        arena_init(&a);
        assert_true(file_make_temp_dir(&a, "external", &top, &e));
        assert_true(file_read(CORPUS "external_good.onnx", 1 << 20, &a, &bytes, &e));
        assert_true(file_read(CORPUS "weights.bin", 1 << 20, &a, &weights, &e));
        for (size_t k = 0; k < COUNT_OF(places); k++) {
            const char *path = path_join(&a, top, places[k]);
            assert_true(file_make_dirs(str_dup(&a, path_dir(str_of(path))), &e));
            assert_true(file_write(path, weights.at, weights.n, &e));
        }
        assert_int_equal(symlink(rows[i].to, path_join(&a, top, rows[i].link)), 0);
        ASSERT_ROW(model_read(bytes, path_join(&a, top, "model"), &a, &m, &e) != rows[i].is_refused,
                   rows[i].name);
        ASSERT_ROW(!rows[i].is_refused || strstr(e.text, "link out of the model's folder"),
                   rows[i].name);
        assert_true(file_remove_tree(top, &e));
        arena_done(&a);
    }
}

TEST_SUITE(onnx_io, TEST(written_models_read_back_the_same),
           TEST(every_cut_of_a_model_is_refused_or_read), TEST(external_data_is_read_in_place),
           TEST(links_out_of_the_folder_are_refused))
