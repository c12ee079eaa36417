// libzbar.a refers to these fifteen functions of D-Bus, which announce a code to a desktop session. Nothing here
// asks it to, so none of them is ever called; with them the static library links without D-Bus, systemd and X11.
// The signatures do not matter to the linker and are kept bare on purpose.

#include <stdlib.h>

#define NEVER_CALLED(name) \
    void name(void);       \
    void name(void) { abort(); }

NEVER_CALLED(dbus_bus_get)
NEVER_CALLED(dbus_bus_release_name)
NEVER_CALLED(dbus_bus_request_name)
NEVER_CALLED(dbus_connection_flush)
NEVER_CALLED(dbus_connection_send)
NEVER_CALLED(dbus_error_free)
NEVER_CALLED(dbus_error_init)
NEVER_CALLED(dbus_error_is_set)
NEVER_CALLED(dbus_message_iter_append_basic)
NEVER_CALLED(dbus_message_iter_append_fixed_array)
NEVER_CALLED(dbus_message_iter_close_container)
NEVER_CALLED(dbus_message_iter_init_append)
NEVER_CALLED(dbus_message_iter_open_container)
NEVER_CALLED(dbus_message_new_signal)
NEVER_CALLED(dbus_message_unref)
