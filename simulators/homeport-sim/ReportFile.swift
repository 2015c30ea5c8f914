import Fleet
import Glibc

/// The file of a report.
enum ReportFile {
    /// Makes sure, before a run that may take hours, that its report can be written.
    /// - Throws: ``ReportNotWritten``.
    static func prepare(_ path: String) throws(ReportNotWritten) {
        guard let file = fopen(path, "ae") else { throw ReportNotWritten(path: path, error: errno) }
        fclose(file)
    }

    /// Writes a report.
    /// - Throws: ``ReportNotWritten``.
    static func write(_ report: FleetReport, to path: String) throws(ReportNotWritten) {
        let bytes = report.json
        guard let file = fopen(path, "we") else { throw ReportNotWritten(path: path, error: errno) }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let isClosed = fclose(file) == 0
        guard isWritten, isClosed else { throw ReportNotWritten(path: path, error: errno) }
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
