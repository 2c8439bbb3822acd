/* Printed text as a row of items, for the comparison and for literals. */
#ifndef DOCUMENTS_PRINTED_P_H
#define DOCUMENTS_PRINTED_P_H

#include "documents/printed.h"

enum { PRINTED_DIMS_MAX = 16 };

enum token_kind { TOKEN_NUMBER, TOKEN_WORD, TOKEN_STRING, TOKEN_MARK };

struct token {
    enum token_kind kind;
    struct str text;
    double value;     /* of a NUMBER */
    double unit;      /* of its last digit; 0: a whole number */
    double tolerance; /* half a unit; from the third decimal on a whole one, since another machine
                         may round the other way */
    bool is_real, is_imaginary;
};

struct tokens {
    struct token *at;
    size_t n, cap;
};

enum element { ELEMENT_NONE, ELEMENT_BOOL, ELEMENT_INT, ELEMENT_REAL, ELEMENT_COMPLEX };

struct array {
    size_t dims[PRINTED_DIMS_MAX];
    unsigned rank;
    const struct token *numbers;
    size_t n;
    enum element element;
    struct str dtype; /* "": the default dtype of its elements */
    bool is_tensor;   /* "tensor(": of torch, whose defaults are known */
    bool is_elided, is_broken;
};

struct item {
    bool is_array;
    struct token token;
    struct array array;
};

struct items {
    struct item *at;
    size_t n, cap;
    bool is_elided;
};

/* In the order of the text; comments are left out. */
void printed__items(struct str text, struct arena *a, struct items *out);

#endif
