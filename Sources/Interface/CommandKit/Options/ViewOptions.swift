import ArgumentParser

/// How `scan` and `inspect` show a payload.
package struct ViewOptions: ParsableArguments {
    @Flag(help: "Print everything instead of showing it on the whole screen.")
    var plain = false

    @Flag(help: "Show the docs of calls, variants and fields.")
    var docs = false

    package init() {}
}
