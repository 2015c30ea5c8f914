import Glibc
import Homeport

/// The program that has a dashboard.
enum DashboardExecutable {
    private static let name = "homeport-dashboard"

    /// Replaces this program by that one, with the same arguments.
    /// - Returns: why that was not possible.
    static func exec() -> CommandLineError {
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        for path in paths { execv(path, &arguments) }
        return CommandLineError(
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
        return ["\(folder)/\(name)", "\(folder)/../libexec/homeport/\(name)"]
    }
}
