internal import Basics
internal import CPostgreSQL
internal import DeviceDomain
internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A connection to PostgreSQL, which is made when it is needed and made again when it was lost.
///
/// All that is done with it runs on its own queue, one after the other: only there are the pointer, the names of
/// statements and the source touched. Calls of libpq block the thread of the queue.
final class PostgresConnection: @unchecked Sendable {
    private let address: PostgresAddress
    private let limits: PostgresLimits
    let queue = DispatchQueue(label: "homeport.postgresql")
    private var handle: OpaquePointer?
    /// Tells of notifications, where somebody hears them.
    var arrivals: (any DispatchSourceRead)?
    /// Statements that this connection knows, with their names.
    private var names: [String: String] = [:]

    init(_ address: PostgresAddress, _ limits: PostgresLimits) {
        self.address = address
        self.limits = limits
    }

    deinit { if let handle { cpostgresql_close(handle) } }

    /// Does something with the connection, behind what was to be done before.
    func enqueue(_ body: @escaping @Sendable (PostgresConnection) -> Void) {
        queue.async { body(self) }
    }

    // MARK: Statements

    /// Runs statements in order, in one exchange with the server.
    /// - Returns: what each came to.
    /// - Throws: the first refusal, after which no other statement was run; `unreachable`.
    func run(_ statements: [PostgresStatement]) throws(PostgresFailure) -> [PostgresRows] {
        let handle = try opened()
        do throws(PostgresFailure) {
            var fresh: [String: String] = [:]
            for statement in statements { try send(statement, to: handle, &fresh) }
            guard cpostgresql_end_batch(handle) else { throw loss(of: handle) }
            return try results(of: statements, from: handle, fresh)
        } catch {
            if !error.isRefusal { close() }
            throw error
        }
    }

    /// Runs one statement.
    func run(_ statement: PostgresStatement) throws(PostgresFailure) -> PostgresRows {
        let results = try run([statement])
        guard let rows = results.last else {
            throw PostgresFailure(reason: .unreachable, message: "the server sent no result")
        }
        return rows
    }

    private func send(
        _ statement: PostgresStatement, to handle: OpaquePointer, _ fresh: inout [String: String]
    ) throws(PostgresFailure) {
        let name: String
        if let known = names[statement.sql] ?? fresh[statement.sql] {
            name = known
        } else {
            name = "s\(names.count + fresh.count)"
            fresh[statement.sql] = name
            guard cpostgresql_prepare(handle, name, statement.sql) else { throw loss(of: handle) }
        }
        let isSent = withValues(statement.values) { values, lengths, formats in
            cpostgresql_run(
                handle, name, Int32(statement.values.count), values, lengths, formats)
        }
        guard isSent else { throw loss(of: handle) }
    }

    private func withValues<Value>(
        _ values: [PostgresValue],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, [Int32], [Int32]) -> Value
    ) -> Value {
        // One buffer for all, each value with a zero behind it, as libpq wants texts.
        var bytes: [CChar] = []
        var offsets: [Int?] = []
        for value in values {
            guard let part = value.bytes else {
                offsets.append(nil)
                continue
            }
            offsets.append(bytes.count)
            for byte in part { bytes.append(CChar(bitPattern: byte)) }
            bytes.append(0)
        }
        let lengths = values.map { Int32($0.bytes?.count ?? 0) }
        let formats = values.map { Int32($0.isBinary ? 1 : 0) }
        return bytes.withUnsafeBufferPointer { buffer in
            let pointers = offsets.map { offset in
                offset.flatMap { offset in buffer.baseAddress.map { $0 + offset } }
            }
            return body(pointers, lengths, formats)
        }
    }

    /// Reads up to the end of the batch, also behind a refusal.
    private func results(
        of statements: [PostgresStatement], from handle: OpaquePointer, _ fresh: [String: String]
    ) throws(PostgresFailure) -> [PostgresRows] {
        var results: [PostgresRows] = []
        var unprepared = Set(fresh.keys)
        var refusal: PostgresFailure?
        while true {
            let result = try next(from: handle)
            // Each statement that was new has a result for its preparation before its own.
            let sql = results.count < statements.count ? statements[results.count].sql : ""
            switch cpostgresql_kind_of(result) {
            case cpostgresql_end:
                cpostgresql_clear(result)
                if let refusal { throw refusal }
                guard results.count == statements.count else {
                    throw PostgresFailure(
                        reason: .unreachable, message: "the server left out a result")
                }
                return results
            case cpostgresql_done where unprepared.contains(sql):
                unprepared.remove(sql)
                names[sql] = fresh[sql]
                cpostgresql_clear(result)
            case cpostgresql_rows, cpostgresql_done: results.append(PostgresRows(result))
            case cpostgresql_refused:
                refusal = refusal ?? Self.refusal(result)
                cpostgresql_clear(result)
            default: cpostgresql_clear(result)
            }
        }
    }

    /// The next result of a batch. Between the results of two statements the library tells their end.
    private func next(from handle: OpaquePointer) throws(PostgresFailure) -> OpaquePointer {
        // Three in a row would be the end of all.
        for _ in 0..<3 {
            switch cpostgresql_await(handle, Int32(limits.answer.wholeMilliseconds)) {
            case cpostgresql_ready: break
            case cpostgresql_late:
                throw PostgresFailure(
                    reason: .unreachable, message: "the server did not answer in \(limits.answer)")
            default: throw loss(of: handle)
            }
            if let result = cpostgresql_next(handle) {
                // The library reports a lost connection as a refusal without a SQLSTATE.
                guard cpostgresql_is_connected(handle) else {
                    cpostgresql_clear(result)
                    throw loss(of: handle)
                }
                return result
            }
        }
        throw loss(of: handle)
    }

    private static func refusal(_ result: OpaquePointer) -> PostgresFailure {
        func field(_ letter: Character) -> String? {
            letter.asciiValue.flatMap { cpostgresql_field(result, CChar($0)) }
                .map { String(cString: $0) }
        }
        return PostgresFailure(
            reason: .refused(state: field("C") ?? "", constraint: field("n")),
            message: field("M") ?? "no reason was given")
    }

    private func loss(of handle: OpaquePointer) -> PostgresFailure {
        let text = String(cString: cpostgresql_message(handle))
        let line = text.split(separator: "\n").first.map(String.init)
        return PostgresFailure(
            reason: .unreachable, message: line ?? "the connection was lost")
    }

    // MARK: Notifications

    /// More than the server lets the text of one have.
    private static let longestNotification = 8_192

    /// Where they arrive; `nil` where there is no connection.
    var socket: Int32? {
        guard let handle, case let socket = cpostgresql_socket(handle), socket >= 0 else {
            return nil
        }
        return socket
    }

    /// The texts of those that have arrived; `nil` where the connection was lost.
    func takeNotifications() -> [String]? {
        guard let handle, cpostgresql_read(handle) else { return nil }
        var texts: [String] = []
        var payload = [CChar](repeating: 0, count: Self.longestNotification)
        while cpostgresql_notification(handle, &payload, payload.count) {
            let bytes = payload.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts
    }

    // MARK: The connection

    /// Whether there is one, as far as is known.
    var isOpen: Bool { handle != nil }

    /// Ends the connection; the next statement makes another one.
    func close() {
        if let handle { cpostgresql_close(handle) }
        handle = nil
        names = [:]
    }

    private func opened() throws(PostgresFailure) -> OpaquePointer {
        if let handle {
            if cpostgresql_is_connected(handle) { return handle }
            close()
        }
        guard let new = connect() else {
            throw PostgresFailure(reason: .unreachable, message: "no memory for a connection")
        }
        guard cpostgresql_is_connected(new) else {
            let failure = loss(of: new)
            cpostgresql_close(new)
            throw failure
        }
        handle = new
        _ = try run(PostgresStatement(limits.settings))
        return new
    }

    private func connect() -> OpaquePointer? {
        let settings = limits.connectionSettings
        // What the URL says comes before the first ones, and the last ones before the URL.
        let names = settings.usual.map(\.0) + ["dbname"] + settings.fixed.map(\.0)
        let values = settings.usual.map(\.1) + [address.url] + settings.fixed.map(\.1)
        return withTexts(names) { names in
            withTexts(values) { values in cpostgresql_connect(names, values) }
        }
    }

    private func withTexts<Value>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let bytes = texts.flatMap { Array($0.utf8CString) }
        return bytes.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for text in texts {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += text.utf8.count + 1
            }
            return body(pointers + [nil])
        }
    }
}

extension PostgresFailure {
    /// Whether the server refused a statement, over a connection that goes on.
    fileprivate var isRefusal: Bool { if case .refused = reason { true } else { false } }
}

extension PostgresConnection {
    /// Blocks the thread of a connection, which has nothing else to do.
    static func pause(_ duration: Duration) {
        usleep(UInt32(clamping: duration.wholeMilliseconds * 1_000))
    }
}
