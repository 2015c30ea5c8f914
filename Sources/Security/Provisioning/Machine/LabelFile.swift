internal import Glibc

/// The file of a device's label: the text of its code, or a picture of it.
enum LabelFile {
    /// The exit status of `zbarimg` for a picture without a code; any other means that it is no picture.
    private static let statusWithoutCode: Int32 = 4

    /// Bytes of the largest file that can be the text of a code; a QR code holds less.
    private static let largestText = 4096

    /// The contents of a small file of text; `nil` for any other, such as a picture.
    /// - Throws: where it is no regular file: this program and `zbarimg` would wait for the writer of a pipe.
    static func text(of path: String) throws(SetupCodeFailure) -> String? {
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw SetupCodeFailure(
                message:
                    "\(path) is not a regular file; write the code or its picture into a file, "
                    + "and name that")
        }
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: largestText + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var text = bytes[..<count]
        if text.starts(with: byteOrderMark) { text = text.dropFirst(byteOrderMark.count) }
        let blanks = Array("\t\r\n".utf8)
        guard (1...largestText).contains(count),
            text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || blanks.contains($0) })
        else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    /// The texts of the QR codes in a picture, a line each.
    /// - Parameter alternative: what else may be given, for the message where there is no such file.
    static func codes(
        inPicture path: String, or alternative: String
    ) async throws(SetupCodeFailure) -> String {
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw SetupCodeFailure(
                message: "'\(path)' is neither \(alternative), nor a "
                    + "file with it or with a picture of it that can be read: \(reason)")
        }
        let report = try await zbarimg(path)
        switch report.status {
        case 0 where !report.output.isEmpty: return report.output
        // Of a picture that is cut off, zbarimg reads what is there, and ends with 0.
        case 0, statusWithoutCode:
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
}
