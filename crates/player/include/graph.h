/*
 * The graph: a sparse matrix of directions, with the layout of GSL's gsl_spmatrix_uint (2.6 to 2.8).
 *
 * Entry (u, v) of the matrix is the direction that leads from vertex u to vertex v (see dir.h); what is not stored is no
 * edge. It is in CSR form, so the edges of u are those at positions p[u] .. p[u + 1] - 1: position k leads
 * to vertex i[k] in direction data[k].
 *
 * With GSL's headers installed the matrix is GSL's own type; without them it is the struct below, which has the same
 * layout and field names. Define AMAZONS_NO_GSL before the include to have the struct in any case; GSL's headers
 * cannot be included in the same source then. Neither way needs libgsl to link: only calling GSL does.
 */
#ifndef AMAZONS_GRAPH_H
#define AMAZONS_GRAPH_H

#include <stddef.h> /* GSL 2.7 needs it and does not include it */

#ifndef AMAZONS_NO_GSL
#if defined(__GSL_SPMATRIX_UINT_H__)
#define AMAZONS_HAS_GSL 1
#elif defined(__has_include)
#if __has_include(<gsl/gsl_spmatrix.h>)
#include <gsl/gsl_spmatrix.h>
#define AMAZONS_HAS_GSL 1
#endif
#endif
#endif

#ifdef AMAZONS_HAS_GSL
#include <gsl/gsl_version.h>
#if GSL_MAJOR_VERSION < 2 || (GSL_MAJOR_VERSION == 2 && GSL_MINOR_VERSION < 6)
#error "GSL before 2.6 lays its matrices out differently: define AMAZONS_NO_GSL or install a newer one"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef AMAZONS_HAS_GSL

/* Values of sptype. A server of this family hands over CSR. */
enum {
    GSL_SPMATRIX_COO = 0, /* triples: row i[k], column p[k], value data[k], for k < nz */
    GSL_SPMATRIX_CSC = 1, /* column v: rows i[k], values data[k], for p[v] <= k < p[v + 1] */
    GSL_SPMATRIX_CSR = 2  /* row u: columns i[k], values data[k], for p[u] <= k < p[u + 1] */
};

typedef struct {
    size_t size1;       /* rows */
    size_t size2;       /* columns */
    int *i;             /* nzmax column indices */
    unsigned int *data; /* nzmax directions */
    int *p;             /* size1 + 1 offsets into i and data */
    size_t nzmax;       /* room in i and data */
    size_t nz;          /* entries in use */
    void *tree;         /* NULL unless COO */
    void *pool;         /* NULL unless COO */
    size_t node_size;
    union {
        void *work_void;
        int *work_int;
        unsigned int *work_atomic;
    } work;             /* max(size1, size2) ints of scratch space */
    int sptype;         /* GSL_SPMATRIX_CSR */
    size_t spflags;
} gsl_spmatrix_uint;

#endif

/*
 * A player is given a graph of its own and owns it: graph, matrix, i, p, data and work are six separate blocks of
 * malloc. It may edit them in place, and it frees each of them once, with free or, for the matrix and its arrays, with
 * gsl_spmatrix_uint_free.
 *
 * Vertices are numbered row by row from the top left corner. A hole of the board is a vertex without edges.
 */
struct graph_t {
    unsigned int num_vertices; /* equal to t->size1 and t->size2 */
    gsl_spmatrix_uint *t;
};

#ifdef __cplusplus
}
#endif

#endif
