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

/// sqlite3_db_config is variadic.
static inline int heliograph_set_defensive(sqlite3 *database) {
    int untrusted = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    int defensive = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    int triggers = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    return untrusted != SQLITE_OK ? untrusted : defensive != SQLITE_OK ? defensive : triggers;
}
