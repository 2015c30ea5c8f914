internal import Glibc
public import ProvisioningProtocol

/// A setup code could not be read from what the user named. It contains nothing of the code.
public struct SetupCodeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, why, and what to do.
    public let message: String

    public var description: String { message }
}

extension SetupCode {
    /// Reads a code from its text, which begins with a brace, or from a file with a picture of the QR code.
    ///
    /// Pictures are read by `zbarimg` of the ZBar library.
    public static func read(_ argument: String) async throws(SetupCodeFailure) -> SetupCode {
        let isText = argument.first { !$0.isWhitespace } == "{"
        let text = isText ? argument : try await picture(argument)
        do {
            return try SetupCode(text: text)
        } catch {
            throw SetupCodeFailure(message: error.message)
        }
    }

    private static func picture(_ path: String) async throws(SetupCodeFailure) -> String {
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw SetupCodeFailure(
                message: "'\(path)' is neither the text of a QR code, which begins with {, nor a "
                    + "picture that can be read: \(reason)")
        }
        // A path that begins with a hyphen would be an option.
        let file = path.hasPrefix("/") ? path : "./\(path)"
        let report: ChildProgram.Report?
        do {
            report = try await ChildProgram.run(
                "zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file])
        } catch {
            throw SetupCodeFailure(message: "zbarimg cannot be started: \(error)")
        }
        guard let report else {
            throw SetupCodeFailure(
                message: "no zbarimg program found to read the picture; install it with "
                    + "`apt-get install zbar-tools`, or pass the text of the QR code")
        }
        guard report.isSuccess else {
            throw SetupCodeFailure(
                message:
                    "\(path) holds no QR code that can be read; take a sharper picture, or pass "
                    + "the text of the QR code")
        }
        return report.output
    }
}
