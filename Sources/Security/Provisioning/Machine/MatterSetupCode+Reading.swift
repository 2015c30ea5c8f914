internal import Glibc
public import ProvisioningProtocol

extension MatterSetupCode {
    /// Reads a code from its text, or from a file with that text or with a picture of the QR code. An argument that
    /// looks like no path, and names no file, is the code itself, and no error repeats it.
    public static func read(_ argument: String) async throws(SetupCodeFailure) -> MatterSetupCode {
        guard access(argument, F_OK) == 0 || isPath(argument) else { return try code(argument) }
        let text = try LabelFile.text(of: argument)
        if let text, let first = text.first(where: { !$0.isWhitespace }),
            "0123456789Mm".contains(first)
        {
            return try code(text, of: argument)
        }
        let codes: String
        do {
            codes = try await LabelFile.codes(inPicture: argument, or: "a Matter code")
        } catch {
            // Some pictures are text, so that only now it is known to be none.
            if let text { return try code(text, of: argument) }
            throw error
        }
        let texts = codes.split(separator: "\n").map(String.init)
        var found: [MatterSetupCode] = []
        for code in texts.compactMap({ try? MatterSetupCode(text: $0) })
        where !found.contains(code) {
            found.append(code)
        }
        guard let first = found.first else { return try code(codes) }
        guard found.count == 1 else {
            throw SetupCodeFailure(
                message:
                    "\(argument) shows the codes of \(found.count) Matter devices; take a picture of "
                    + "one, or pass its code")
        }
        return first
    }

    /// Whether a text can only be meant as a path: with a folder or an extension, which no code has.
    private static func isPath(_ argument: String) -> Bool {
        guard !argument.uppercased().hasPrefix("MT:") else { return false }
        if argument.contains("/") { return true }
        guard let dot = argument.lastIndex(of: ".") else { return false }
        return argument[argument.index(after: dot)...].contains(where: \.isLetter)
    }

    private static func code(
        _ text: String, of file: String? = nil
    ) throws(SetupCodeFailure) -> MatterSetupCode {
        do {
            return try MatterSetupCode(text: text)
        } catch {
            throw SetupCodeFailure(message: (file.map { "\($0): " } ?? "") + error.message)
        }
    }
}
