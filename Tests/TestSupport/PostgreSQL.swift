internal import Basics
private import Glibc

/// Runs `body` with an empty database. Its server is started once for all tests of a process, which takes a second, and
/// ends with them.
package func withPostgreSQL<Value>(
    body: (PostgreSQLDatabase) async throws -> Value
) async throws -> Value {
    try await withDatabase(of: try await shared.server(), body)
}

/// Runs `body` with a server of its own, which it may end and start again, and an empty database of it.
package func withPostgreSQLServer<Value>(
    body: (PostgreSQLServer, PostgreSQLDatabase) async throws -> Value
) async throws -> Value {
    let server = try PostgreSQLServer()
    try await server.start()
    do {
        let value = try await withDatabase(of: server) { try await body(server, $0) }
        await server.end(SIGQUIT)
        return value
    } catch {
        await server.end(SIGQUIT)
        throw error
    }
}

private func withDatabase<Value>(
    of server: PostgreSQLServer, _ body: (PostgreSQLDatabase) async throws -> Value
) async throws -> Value {
    let name = "test_\(UInt32.random(in: .min ... .max))"
    let administration = PostgreSQLDatabase(server: server, name: "postgres")
    try await administration.execute("CREATE DATABASE \(name)")
    let value: Value
    do {
        value = try await body(PostgreSQLDatabase(server: server, name: name))
    } catch {
        _ = try? await administration.execute("DROP DATABASE \(name) WITH (FORCE)")
        throw error
    }
    try await administration.execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    return value
}

/// A database of a test.
package struct PostgreSQLDatabase: Sendable {
    fileprivate let server: PostgreSQLServer
    fileprivate let name: String

    /// Where clients connect: a socket in a folder.
    package var url: String {
        "postgresql:///\(name)?host=\(server.folder.path)&port=\(server.port)&user=tester"
    }

    /// Where the server listens on the loopback interface.
    package var port: UInt16 { server.port }

    /// Where clients connect over TCP.
    /// - Parameter port: that of the server, unless a proxy stands before it.
    package func url(onPort port: UInt16? = nil) -> String {
        "postgresql://tester@127.0.0.1:\(port ?? server.port)/\(name)"
    }

    /// Runs statements as another program, in the namespace of the ledger.
    /// - Returns: what it printed: rows in lines, columns between bars.
    @discardableResult
    package func execute(_ sql: String) async throws -> String {
        let end = try await ChildProcess.runToEnd(
            "psql",
            [
                "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
                "--dbname=\(url)", "--command=SET search_path = homeport, public",
                "--command=\(sql)",
            ])
        guard end.status == 0 else { throw TestSupportError(end.errors) }
        return end.output
    }
}

/// A PostgreSQL server of a test, in a folder of its own. It refuses to run as root, so that root's tests run it as
/// `nobody`.
package final class PostgreSQLServer: Sendable {
    /// Where it listens on the loopback interface.
    package let port: UInt16
    fileprivate let folder: TemporaryFolder
    private let child = Guarded<SpawnedProcess?>(nil)

    private static let nobody: UInt32 = 65_534
    private static let asNobody =
        geteuid() == 0
        ? ["setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"] : []
    /// Debian keeps the programs of the server off the path.
    private static let programs =
        (10...30).reversed().map { "/usr/lib/postgresql/\($0)/bin/" }
        .first { access($0 + "initdb", X_OK) == 0 } ?? ""

    fileprivate init() throws {
        port = try freePort()
        folder = try TemporaryFolder()
        guard geteuid() != 0 || chown(folder.path, Self.nobody, Self.nobody) == 0 else {
            throw TestSupportError("cannot give \(folder.path) away: errno \(errno)")
        }
    }

    private var data: String { folder.path + "/data" }

    /// Starts it, also after its end, and returns once it takes connections.
    package func start() async throws {
        if !folder.has("data") {
            let initialisation =
                Self.asNobody + [
                    Self.programs + "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E",
                    "UTF8",
                    "--locale=C.UTF-8", "--no-sync",
                ]
            let end = try await ChildProcess.runToEnd(
                initialisation[0], Array(initialisation.dropFirst()))
            guard end.status == 0 else { throw TestSupportError(end.output + end.errors) }
        }
        try await withCheckedThrowingContinuation { continuation in
            // The thread that starts it lives as long as it does.
            detachThread { self.accompany(continuation) }
        }
    }

    private func accompany(_ continuation: CheckedContinuation<Void, any Error>) {
        var text = ""
        do throws(TestSupportError) {
            // Another user's process forgets with whom it ends.
            let child = try SpawnedProcess(
                Self.asNobody + ["setpriv", "--pdeathsig", "QUIT"] + command)
            self.child.withLock { $0 = child }
            var isUp = false
            while let part = child.read() {
                guard !isUp else { continue }
                text += String(decoding: part, as: UTF8.self)
                isUp = text.contains("database system is ready to accept connections")
                if isUp { continuation.resume() }
            }
            self.child.withLock { $0 = nil }
            _ = child.collect()
            if !isUp { continuation.resume(throwing: TestSupportError("postgres ended: \(text)")) }
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// What is written need not survive a power cut.
    private var command: [String] {
        let settings = [
            "fsync=off", "full_page_writes=off", "shared_buffers=32MB", "max_connections=200",
            "listen_addresses=127.0.0.1", "unix_socket_directories=\(folder.path)", "port=\(port)",
        ]
        return [Self.programs + "postgres", "-D", data] + settings.flatMap { ["-c", $0] }
    }

    /// Ends it by a signal, and waits for its end. `SIGQUIT` is that of a crash, which it recovers from.
    package func end(_ signal: Int32) async {
        guard let process = child.withLock({ $0?.processID }) else { return }
        kill(process, signal)
        while folder.has("data/postmaster.pid"), kill(process, 0) == 0 {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Lets it do nothing for a while: connections stay, nothing is answered.
    package func freeze() { signalAll(SIGSTOP) }

    /// Lets it go on.
    package func thaw() { signalAll(SIGCONT) }

    private func signalAll(_ signal: Int32) {
        guard let process = child.withLock({ $0?.processID }),
            let file = fopen("/proc/\(process)/task/\(process)/children", "re")
        else { return }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4_096)
        guard fgets(&line, Int32(line.count), file) != nil else { return }
        let text = String(
            decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // The first one last, so that it does not see its children stop.
        for child in text.split(separator: " ").compactMap({ Int32($0) }) { kill(child, signal) }
        kill(process, signal)
    }
}

/// A second for each test would be most of their time.
private let shared = SharedServer()

private actor SharedServer {
    private var starting: Task<PostgreSQLServer, any Error>?

    func server() async throws -> PostgreSQLServer {
        if let starting { return try await starting.value }
        let task = Task {
            let server = try PostgreSQLServer()
            try await server.start()
            leftover.withLock { $0 = server }
            atexit { leftover.withLock { $0 = nil } }
            return server
        }
        starting = task
        return try await task.value
    }
}

/// What is to be removed when the tests end: the folder goes with the object.
private let leftover = Guarded<PostgreSQLServer?>(nil)
