#include "CTraceVFS.h"
#include <string.h>

// A pass-through file system after sqlite.org/vfs.html: each file wraps the default one's file, which stands behind it in memory.

typedef struct {
    sqlite3_file base;
    const char *path;
    sqlite3_file *real;
} trace_file;

static sqlite3_vfs *below;
static sqlite3_vfs above;
static sqlite3_io_methods methods;
static trace_callback report;

#define REAL(file) (((trace_file *)(file))->real)

static int trace_close(sqlite3_file *file) {
    sqlite3_file *real = REAL(file);
    return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}
static int trace_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return REAL(file)->pMethods->xRead(REAL(file), bytes, count, offset);
}
static int trace_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int status = REAL(file)->pMethods->xWrite(REAL(file), bytes, count, offset);
    if (status == SQLITE_OK) report(TRACE_WRITE, ((trace_file *)file)->path, offset, bytes, count);
    return status;
}
static int trace_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int status = REAL(file)->pMethods->xTruncate(REAL(file), size);
    if (status == SQLITE_OK) report(TRACE_TRUNCATE, ((trace_file *)file)->path, size, 0, 0);
    return status;
}
static int trace_sync(sqlite3_file *file, int flags) {
    int status = REAL(file)->pMethods->xSync(REAL(file), flags);
    if (status == SQLITE_OK) report(TRACE_SYNC, ((trace_file *)file)->path, 0, 0, 0);
    return status;
}
static int trace_file_size(sqlite3_file *file, sqlite3_int64 *size) { return REAL(file)->pMethods->xFileSize(REAL(file), size); }
static int trace_lock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xLock(REAL(file), level); }
static int trace_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }
static int trace_reserved(sqlite3_file *file, int *held) { return REAL(file)->pMethods->xCheckReservedLock(REAL(file), held); }
static int trace_control(sqlite3_file *file, int operation, void *argument) {
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}
static int trace_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }
// No promise of the device: nothing is atomic, nothing is in order.
static int trace_device(sqlite3_file *file) { return 0; }
static int trace_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
    return REAL(file)->pMethods->xShmMap(REAL(file), region, size, extend, memory);
}
static int trace_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}
static void trace_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }
static int trace_unmap(sqlite3_file *file, int remove) { return REAL(file)->pMethods->xShmUnmap(REAL(file), remove); }

static int trace_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
    trace_file *wrapped = (trace_file *)file;
    wrapped->real = (sqlite3_file *)(wrapped + 1);
    wrapped->path = path;
    memset(wrapped->real, 0, (size_t)below->szOsFile);
    int status = below->xOpen(below, path, wrapped->real, flags, out);
    wrapped->base.pMethods = wrapped->real->pMethods ? &methods : 0;
    if (status == SQLITE_OK && path) report(TRACE_OPEN, path, 0, 0, 0);
    return status;
}

static int trace_delete(sqlite3_vfs *vfs, const char *path, int sync) {
    int status = below->xDelete(below, path, sync);
    if (status == SQLITE_OK) report(TRACE_DELETE, path, 0, 0, 0);
    return status;
}

int trace_vfs_install(trace_callback callback) {
    report = callback;
    below = sqlite3_vfs_find(0);
    above = *below;
    above.zName = "trace";
    above.szOsFile = (int)sizeof(trace_file) + below->szOsFile;
    above.xOpen = trace_open;
    above.xDelete = trace_delete;
    methods = (sqlite3_io_methods){
        .iVersion = 2,
        .xClose = trace_close,
        .xRead = trace_read,
        .xWrite = trace_write,
        .xTruncate = trace_truncate,
        .xSync = trace_sync,
        .xFileSize = trace_file_size,
        .xLock = trace_lock,
        .xUnlock = trace_unlock,
        .xCheckReservedLock = trace_reserved,
        .xFileControl = trace_control,
        .xSectorSize = trace_sector,
        .xDeviceCharacteristics = trace_device,
        .xShmMap = trace_map,
        .xShmLock = trace_shared_lock,
        .xShmBarrier = trace_barrier,
        .xShmUnmap = trace_unmap,
    };
    return sqlite3_vfs_register(&above, 1);
}
