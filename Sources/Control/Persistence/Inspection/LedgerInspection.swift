public import DeviceControl
public import DeviceDomain

/// What is found about a ledger, for a diagnosis. Looking changes nothing and makes no file.
public struct LedgerInspection: Sendable {
    /// The file of the ledger, without symbolic links.
    public let path: String
    /// What the file system says about it.
    public let storage: LedgerStorage
    /// What the ledger contains, or why that cannot be read; `nil` where there is no file.
    public let contents: Result<LedgerContents, LedgerError>?

    /// - Parameters:
    ///   - path: the file of the ledger.
    ///   - controller: whose commands are counted.
    ///   - home: the home whose devices and commands are looked at.
    public init(of path: String, controller: ControllerID, home: HomeID) async {
        let file = LedgerFile(path: path)
        self.path = file.path
        storage = LedgerStorage(of: file.path)
        guard storage.presence == .file else {
            contents = nil
            return
        }
        let hadLog = file.logSize > 0
        let first = await Self.contents(of: file, controller, home)
        // A process that began to write meanwhile has made a log, which must then be read too.
        let isStale = !hadLog && file.logSize > 0
        contents = isStale ? await Self.contents(of: file, controller, home) : first
    }

    private static func contents(
        of file: LedgerFile, _ controller: ControllerID, _ home: HomeID
    ) async -> Result<LedgerContents, LedgerError> {
        do {
            let (database, header) = try LedgerDatabase.openOfAnyAge(
                file, at: file.pathForInspection)
            defer { database.close() }
            return .success(
                try await LedgerContents(
                    of: database, isCurrent: header.isCurrent, controller, home))
        } catch {
            return .failure(error)
        }
    }
}
