import Glibc
package import Homeport

/// The view of a home in a browser.
///
/// Only the program `homeport-dashboard` has one: its web server, linked into `homeport`, would make the
/// start of every verb slower.
package protocol DashboardServer: Sendable {
    /// Reads the files and sees whether the address is free.
    init(_ options: DashboardOptions) throws(Failure)

    /// A link that lets one browser in; `nil` while it does not listen.
    func newLink() -> String?

    /// Serves the home until the task is cancelled.
    /// - Parameters:
    ///   - report: is told what the user should know.
    ///   - onListening: is told a link that lets one browser in.
    func run(
        _ home: Home, _ options: VerbOptions, report: @escaping @Sendable (String) -> Void,
        onListening: @escaping @Sendable (String) -> Void
    ) async throws(Failure)
}

/// The dashboard that this program has linked in.
enum LinkedDashboard {
    /// `nil` in `homeport`.
    @TaskLocal static var type: (any DashboardServer.Type)?

    /// The name of the program that has one.
    private static let program = "homeport-dashboard"

    /// The dashboard for these options. A program without one becomes the one that has it, with the same
    /// arguments.
    static func open(_ options: DashboardOptions) throws(Failure) -> any DashboardServer {
        guard let type else { throw becomeProgram() }
        return try type.init(options)
    }

    /// Replaces this program; returns only why that was not possible.
    private static func becomeProgram() -> Failure {
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        for path in paths { execv(path, &arguments) }
        return Failure(
            .internalError,
            "the dashboard is a program of its own, and it is not in "
                + paths.joined(separator: " or ") + ": build or install all of Homeport")
    }

    /// Where it is: beside this program, or where it is installed.
    private static var paths: [String] {
        var own = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &own, own.count)
        let path = own.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
        let folder = String(decoding: path, as: UTF8.self).split(
            separator: "/", omittingEmptySubsequences: false
        ).dropLast().joined(separator: "/")
        return ["\(folder)/\(program)", "\(folder)/../libexec/homeport/\(program)"]
    }
}
