/*
 * The engine side: what `assay worker NAME` runs in a process of its own, speaking the protocol on
 * a fixed descriptor. Returns the exit code; says nothing on stdout.
 */
#ifndef TARGET_WORKER_H
#define TARGET_WORKER_H

enum { WORKER_FD = 3 };

/* ONNX Runtime out of the shared library at path, through its C API. */
int worker_ort_main(const char *library_path, int fd);

#endif
