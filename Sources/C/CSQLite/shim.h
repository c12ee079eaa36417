#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast that Swift does not import.
static inline int heliograph_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, place, 0)
                      : sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}

static inline int heliograph_bind_text(sqlite3_stmt *statement, int place, const char *text, int count) {
    return sqlite3_bind_text(statement, place, text, count, SQLITE_TRANSIENT);
}

/// Bytes of the longest row that is read or written: a file may claim rows of a gigabyte. Metadata is expanded to 8 MiB at most.
#define HELIOGRAPH_LONGEST_VALUE (64 << 20)

/// Nothing in a file runs: no trigger, no view, no function or virtual table that the schema names. sqlite3_db_config is variadic.
static inline int heliograph_set_defensive(sqlite3 *database) {
    int untrusted = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    int defensive = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    int triggers = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    int views = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, HELIOGRAPH_LONGEST_VALUE);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    return untrusted != SQLITE_OK ? untrusted : defensive != SQLITE_OK ? defensive : triggers != SQLITE_OK ? triggers : views;
}
