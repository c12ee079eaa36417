#pragma once
#include <sqlite3.h>
#include <stdint.h>

/// What was done to a file of the database, in order. Only what reaches the file system is here; reads are not.
enum trace_kind { TRACE_OPEN = 0, TRACE_WRITE = 1, TRACE_TRUNCATE = 2, TRACE_SYNC = 3, TRACE_DELETE = 4 };

typedef void (*trace_callback)(int kind, const char *path, int64_t offset, const void *bytes, int count);

/// Puts a file system between SQLite and the default one that reports every change to `callback`. Once a process.
int trace_vfs_install(trace_callback callback);
