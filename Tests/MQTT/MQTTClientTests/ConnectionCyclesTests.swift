import Glibc
import MQTTClient
import TestSupport
import Testing

/// That nothing grows. In a process of its own, where nothing else opens, starts or allocates.
@Suite(
    .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.keepsMemory, "what is freed is kept, and its size says nothing"))
struct ConnectionCyclesTests {
    @Test func tenThousandCyclesLeaveNothingBehind() async throws {
        await #expect(processExitsWith: .success) {
            try await withBroker("max_connections -1") { broker in
                try await withLoop { loop in
                    // Pools, caches and the allocator come to rest first.
                    try await Self.cycle(2_500, port: broker.port, on: loop)
                    var holdings = [try Holdings()]
                    for _ in 0..<4 {
                        try await Self.cycle(2_500, port: broker.port, on: loop)
                        holdings.append(try Holdings())
                    }
                    #expect(
                        holdings.map(\.descriptors) == holdings.map { _ in holdings[0].descriptors }
                    )
                    // The pool of the runtime may start another of its few.
                    #expect(holdings[4].threads <= holdings[0].threads + 2)
                    // What leaks grows from each quarter to the next: a hundred bytes in a cycle are a
                    // quarter of a megabyte. The allocator takes more now and then, and not every time.
                    let growth = zip(holdings.dropFirst(), holdings).map {
                        $0.residentBytes - $1.residentBytes
                    }
                    #expect(growth.min().map { $0 < 1 << 18 } == true, "grown by \(growth)")
                }
            }
        }
    }

    /// Connects and disconnects so often, half by connections and half by clients, a hundred at a time.
    private static func cycle(_ count: Int, port: UInt16, on loop: MQTTEventLoop) async throws {
        for _ in 0..<count / 200 {
            let crowd = Crowd(on: loop)
            try await crowd.connect(100, to: port)
            await crowd.close()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    let configuration = try MQTTConfiguration.test(port, id: "client-\(number)")
                    group.addTask { try await Self.useClient(configuration, on: loop) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func useClient(
        _ configuration: MQTTConfiguration, on loop: MQTTEventLoop
    ) async throws {
        try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
            client in
            _ = try await client.publish(.test("a"))
        }
    }
}

/// The resources of a process.
private struct Holdings {
    var descriptors: Int
    var threads: Int
    var residentBytes: Int

    init() throws {
        let isOpen = { fcntl($0, F_GETFD) != -1 } as (Int32) -> Bool
        descriptors = (Int32(0)..<4_096).count(where: isOpen)
        threads = try Self.number("Threads:")
        residentBytes = try Self.number("VmRSS:") << 10
    }

    /// A number of `/proc/self/status`.
    private static func number(_ key: String) throws -> Int {
        let file = fopen("/proc/self/status", "re")
        guard let file else { throw TestSupportError("no /proc") }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&text, 1, text.count, file)
        for line in String(decoding: text[..<count], as: UTF8.self).split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count > 1, words[0] == key, let number = Int(words[1]) { return number }
        }
        throw TestSupportError("\(key) is not in /proc/self/status")
    }
}
