internal import Glibc
public import ProvisioningProtocol

/// A setup code could not be read from what the user named. It contains nothing of the code.
public struct SetupCodeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, why, and what to do.
    public let message: String

    public var description: String { message }
}

extension SetupCode {
    /// The exit status of `zbarimg` for a picture without a code; any other means that it is no picture.
    private static let statusWithoutCode: Int32 = 4

    /// Bytes of the largest file that can be the text of a code; a QR code holds less.
    private static let largestText = 4096

    /// Reads a code from its text, which begins with a brace, or from a file with that text or with a picture
    /// of the QR code.
    ///
    /// Pictures are read by `zbarimg` of the ZBar library. Of several QR codes in one picture that one counts
    /// which is a setup code.
    public static func read(_ argument: String) async throws(SetupCodeFailure) -> SetupCode {
        let isText = argument.first { !$0.isWhitespace } == "{"
        if isText { return try code(argument) }
        if let text = text(ofFile: argument) { return try code(text) }
        return try await picture(argument)
    }

    /// The contents of a small file that begins as a code does; `nil` for any other.
    private static func text(ofFile path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: largestText + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var text = bytes[..<count]
        if text.starts(with: byteOrderMark) { text = text.dropFirst(byteOrderMark.count) }
        let blanks = Array(" \t\r\n".utf8)
        guard count <= largestText,
            text.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{")
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static func code(_ text: String) throws(SetupCodeFailure) -> SetupCode {
        do {
            return try SetupCode(text: text)
        } catch {
            throw SetupCodeFailure(message: error.message)
        }
    }

    private static func picture(_ path: String) async throws(SetupCodeFailure) -> SetupCode {
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw SetupCodeFailure(
                message: "'\(path)' is neither the text of a QR code, which begins with {, nor a "
                    + "file with it or with a picture of it that can be read: \(reason)")
        }
        let report = try await zbarimg(path)
        switch report.status {
        case 0: return try pick(report.output, in: path)
        case statusWithoutCode:
            throw SetupCodeFailure(
                message:
                    "\(path) holds no QR code that can be read; take a sharper picture, or pass "
                    + "the text of the QR code")
        default:
            throw SetupCodeFailure(
                message:
                    "\(path) is not a picture that can be read; give a picture of the QR code, "
                    + "such as a PNG or JPEG file, or pass the text of the QR code")
        }
    }

    private static func zbarimg(_ path: String) async throws(SetupCodeFailure)
        -> ChildProgram.Report
    {
        // A path that begins with a hyphen would be an option.
        let file = path.hasPrefix("/") ? path : "./\(path)"
        let report: ChildProgram.Report?
        do {
            // As bytes: zbarimg guesses another encoding than UTF-8 for some names.
            report = try await ChildProgram.run(
                "zbarimg",
                ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary", file])
        } catch {
            throw SetupCodeFailure(message: "zbarimg cannot be started: \(error)")
        }
        guard let report else {
            throw SetupCodeFailure(
                message: "no zbarimg program found to read the picture; install it with "
                    + "`apt-get install zbar-tools`, or pass the text of the QR code")
        }
        return report
    }

    /// The one setup code among the codes of a picture, which `zbarimg` separates by newlines. A code that
    /// is on the label twice is one.
    private static func pick(
        _ output: String, in path: String
    ) throws(SetupCodeFailure) -> SetupCode {
        let texts = output.split(separator: "\n").map(String.init)
        var found: [SetupCode] = []
        for code in texts.compactMap({ try? SetupCode(text: $0) }) where !found.contains(code) {
            found.append(code)
        }
        guard let first = found.first else { return try code(output) }
        guard found.count == 1 else {
            let names = found.map(\.name).sorted().joined(separator: ", ")
            throw SetupCodeFailure(
                message:
                    "\(path) shows the setup codes of several devices (\(names)); take a picture "
                    + "of one, or pass the text of the QR code")
        }
        return first
    }
}
