internal import Glibc
public import ProvisioningProtocol

extension MatterSetupCode {
    /// Reads a code from its text, or from a file with that text or with a picture of the QR code. An argument that
    /// names no file is the code itself, and no error repeats it.
    public static func read(_ argument: String) async throws(SetupCodeFailure) -> MatterSetupCode {
        guard access(argument, R_OK) == 0 else { return try code(argument) }
        if let text = LabelFile.text(of: argument, where: { "0123456789Mm".utf8.contains($0) }) {
            return try code(text)
        }
        let codes = try await LabelFile.codes(inPicture: argument, or: "a Matter code")
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

    private static func code(_ text: String) throws(SetupCodeFailure) -> MatterSetupCode {
        do {
            return try MatterSetupCode(text: text)
        } catch {
            throw SetupCodeFailure(message: error.message)
        }
    }
}
