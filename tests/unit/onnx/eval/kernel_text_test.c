/* Operators on strings, and n-grams of numbers, against the standard's text. */
#include "unit/onnx/eval/one_op_p.h"

static void grams_are_counted(void **state)
{
    /* pool: 1-grams 1 2 3, then 2-grams (1 2) (2 3) */
#define POOL "ngram_counts=[0,3] ngram_indexes=[0,1,2,3,4] pool_int64s=[1,2,3,1,2,2,3] "
    static const struct one_op_row rows[] = {
        {"single items",
         9,
         "TfIdfVectorizer",
         POOL "mode='TF' min_gram_length=1 max_gram_length=1 max_skip_count=0",
         {"int64[4] 1 2 2 9"},
         {"float[5] 1 2 0 0 0"}},
        {"single items count once, whatever is skipped",
         9,
         "TfIdfVectorizer",
         POOL "mode='TF' min_gram_length=1 max_gram_length=1 max_skip_count=5",
         {"int64[4] 1 2 2 9"},
         {"float[5] 1 2 0 0 0"}},
        {"pairs, and pairs with one between",
         9,
         "TfIdfVectorizer",
         POOL "mode='TF' min_gram_length=2 max_gram_length=2 max_skip_count=1",
         {"int64[4] 1 2 2 3"},
         {"float[5] 0 0 0 2 2"}},
        {"weights of what is there",
         9,
         "TfIdfVectorizer",
         POOL "mode='IDF' min_gram_length=1 max_gram_length=1 max_skip_count=0 "
              "weights=(0.5,2,3,4,5)",
         {"int64[1,4] 1 2 2 9"},
         {"float[1,5] 0.5 2 0 0 0"}},
        {"counts times weights, a row each",
         9,
         "TfIdfVectorizer",
         POOL "mode='TFIDF' min_gram_length=1 max_gram_length=1 max_skip_count=0 "
              "weights=(0.5,2,3,4,5)",
         {"int64[2,2] 2 2 3 1"},
         {"float[2,5] 0 4 0 0 0 0.5 0 3 0 0"}},
        {"half a pair in the pool",
         9,
         "TfIdfVectorizer",
         "mode='TF' min_gram_length=1 max_gram_length=2 max_skip_count=0 ngram_counts=[0,2] "
         "ngram_indexes=[0,1,2] pool_int64s=[1,2,3]",
         {"int64[1] 1"},
         {"data"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

TEST_SUITE(onnx_kernel_text, TEST(grams_are_counted))
