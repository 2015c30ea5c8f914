internal import DeviceDomain
internal import DeviceMessages
internal import Subprocess
internal import SystemPackage

/// A program of the user's that is run for each message, without a shell: the text is its last argument, and the JSON is
/// in the variable `HOMEPORT_NOTIFICATION`.
struct NotificationProgram: NotificationWay {
    /// How long it may take.
    static let limit = Duration.seconds(10)
    /// The most of its standard error that is told, in bytes.
    private static let largestError = 4_096

    private let words: [String]

    /// - Parameter words: the program and its first arguments; at least one.
    init(_ words: [String]) { self.words = words }

    var name: String { words[0] }

    func deliver(_ message: RuleMessage) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await run(message) }
            group.addTask {
                // A cancelled sleep ends it, too.
                try? await Task.sleep(for: Self.limit)
                return "it did not end within \(Self.limit.text) and was ended"
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// Looked for in the folders of `PATH` unless it is a path.
    private var program: Executable {
        words[0].contains("/") ? .path(FilePath(words[0])) : .name(words[0])
    }

    private func run(_ message: RuleMessage) async -> String? {
        // Not over its standard input: a program that does not read that would end this one.
        let json = String(decoding: message.json, as: UTF8.self).printable
        do {
            let result = try await Subprocess.run(
                program,
                arguments: Arguments(Array(words.dropFirst()) + [message.text.printable]),
                environment: .inherit.updating(["HOMEPORT_NOTIFICATION": json]), input: .none,
                output: .discarded,
                error: .string(limit: Self.largestError))
            guard result.terminationStatus != .exited(0) else { return nil }
            let said = result.standardError.split(separator: "\n").last.map { ": \($0)" } ?? ""
            return "\(result.terminationStatus)\(said)"
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return "there is no such program"
        } catch {
            return "\(error)"
        }
    }
}
