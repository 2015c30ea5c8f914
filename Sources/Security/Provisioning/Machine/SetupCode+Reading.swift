internal import Glibc
public import ProvisioningProtocol

/// A setup code could not be read from what the user named. It contains nothing of the code.
public struct SetupCodeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, why, and what to do.
    public let message: String

    public var description: String { message }
}

extension SetupCode {
    /// Reads a code from its text, which begins with a brace, or from a file with that text or with a picture
    /// of the QR code.
    ///
    /// Pictures are read by `zbarimg` of the ZBar library. Of several QR codes in one picture that one counts
    /// which is a setup code.
    public static func read(_ argument: String) async throws(SetupCodeFailure) -> SetupCode {
        let isText = argument.first { !$0.isWhitespace } == "{"
        // A Matter code, unless a file has that name. It is a secret, so no error message contains it.
        if isText || MatterSetupCode.isOne(argument) && access(argument, F_OK) != 0 {
            return try code(argument)
        }
        let text = try LabelFile.text(of: argument)
        if let text, text.first(where: { !$0.isWhitespace }) == "{" {
            return try code(text, of: argument)
        }
        do {
            return try await picture(argument)
        } catch {
            // Some pictures are text, so that only now it is known to be none.
            if let text { return try code(text, of: argument) }
            throw error
        }
    }

    private static func code(
        _ text: String, of file: String? = nil
    ) throws(SetupCodeFailure) -> SetupCode {
        do {
            return try SetupCode(text: text)
        } catch {
            throw SetupCodeFailure(message: (file.map { "\($0): " } ?? "") + error.message)
        }
    }

    private static func picture(_ path: String) async throws(SetupCodeFailure) -> SetupCode {
        try pick(
            try await LabelFile.codes(
                inPicture: path, or: "the text of a QR code, which begins with {"), in: path)
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
