/*
 * The engine side: what `assay worker NAME` runs in a process of its own, speaking the protocol on
 * a fixed descriptor. It returns the exit code and writes nothing to stdout.
 */
#ifndef TARGET_WORKER_H
#define TARGET_WORKER_H

enum { WORKER_FD = 3 };

/* Serves ONNX Runtime from the shared library at the path, through its C API. */
int worker_ort_main(const char *library_path, int fd);

#endif
