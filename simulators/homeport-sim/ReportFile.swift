import ArgumentParser
import Fleet
import Glibc
import Reports

/// A file that a report is written to.
struct ReportFile: Hashable, Sendable {
    /// What is written, by the end of the file's name.
    enum Format: Hashable, Sendable {
        /// JSON (CLI.md, "Reports"): any name.
        case json
        /// JUnit: `.xml`.
        case junit
        /// A page: `.html`.
        case html
    }

    let path: String

    /// The value of an option.
    static let option: @Sendable (String) throws -> ReportFile = { text in
        guard !text.isEmpty else { throw ValidationError("name a file: the path is empty") }
        return ReportFile(path: text)
    }

    var format: Format {
        if path.hasSuffix(".xml") { return .junit }
        return path.hasSuffix(".html") ? .html : .json
    }

    /// Makes sure, before a run that may take hours, that the report can be written.
    /// - Throws: ``ReportNotWritten``.
    func prepare() throws(ReportNotWritten) {
        guard let file = fopen(path, "ae") else { throw ReportNotWritten(path: path, error: errno) }
        fclose(file)
    }

    /// Writes a report.
    /// - Throws: ``ReportNotWritten``.
    func write(_ report: FleetReport) throws(ReportNotWritten) {
        let bytes = bytes(of: report)
        guard let file = fopen(path, "we") else { throw ReportNotWritten(path: path, error: errno) }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let isClosed = fclose(file) == 0
        guard isWritten, isClosed else { throw ReportNotWritten(path: path, error: errno) }
    }

    private func bytes(of report: FleetReport) -> [UInt8] {
        switch format {
        case .json: report.json
        case .junit: Array(JUnitReport.text(of: report).utf8)
        case .html: Array(HTMLReport.text(of: report).utf8)
        }
    }

    /// Reads a report that was written as JSON.
    /// - Throws: ``ReportNotRead``, or `FleetError` for a file that is no report.
    static func read(_ path: String) throws -> FleetReport {
        guard let file = fopen(path, "re") else { throw ReportNotRead(path: path, error: errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0 {
            bytes += part.prefix(count)
        }
        guard ferror(file) == 0 else { throw ReportNotRead(path: path, error: errno) }
        return try FleetReport(json: bytes, name: path)
    }
}

/// A report could not be written.
struct ReportNotWritten: Error, CustomStringConvertible {
    let path: String
    /// As `errno` has it.
    let error: Int32

    var description: String {
        "cannot write the report \(path): \(String(cString: strerror(error)))"
    }
}

/// A report could not be read.
struct ReportNotRead: Error, CustomStringConvertible {
    let path: String
    /// As `errno` has it.
    let error: Int32

    var description: String {
        "cannot read the report \(path): \(String(cString: strerror(error)))"
    }
}
