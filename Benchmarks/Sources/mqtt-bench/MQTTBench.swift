import Glibc
import MQTTClient

/// What MQTTClient does in the places where `raw-c/raw_mqtt.c` uses libmosquitto alone: the same
/// arguments, the same output.
///
///     mqtt-bench publish PORT QOS BYTES COUNT      awaits confirmations in batches
///     mqtt-bench await-each PORT QOS BYTES COUNT   64 tasks of the global pool await each message
///     mqtt-bench receive PORT QOS BYTES COUNT
///     mqtt-bench respond PORT
///     mqtt-bench roundtrip PORT CONCURRENT COUNT
///     mqtt-bench fleet PORT CLIENTS KEEPALIVE_S [CA CERT KEY]
///
/// Prints `ready` on standard error once it is connected and subscribed, then lines `name value` on
/// standard output. `fleet` connects its clients when it reads a line, prints `connected SECONDS`,
/// waits for another line and then publishes 200 bytes at QoS 1 per client every 10 s, evenly spread. With
/// three PEM files it connects by TLS.
@main
enum MQTTBench {
    /// Not asynchronous: that ends in `dispatchMain`, under which valgrind breaks down.
    static func main() {
        raiseDescriptorLimit()
        Task.detached {
            do {
                try await run()
                exit(0)
            } catch {
                say("mqtt-bench: \(error)")
                exit(2)
            }
        }
        while true { pause() }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        let loop = try MQTTEventLoop(label: "mqtt-bench")
        switch (arguments.first, numbers.count) {
        case ("publish", 4): try await publish(numbers, on: loop)
        case ("await-each", 4): try await awaitEach(numbers, on: loop)
        case ("receive", 4): try await receive(numbers, on: loop)
        case ("respond", 1): try await respond(numbers, on: loop)
        case ("roundtrip", 3): try await roundTrip(numbers, on: loop)
        case ("fleet", 3): try await fleet(numbers, Array(arguments.dropFirst(4)), on: loop)
        default:
            say("usage: see the head of MQTTBench.swift")
            exit(64)
        }
        await loop.shutdown()
    }

    /// One descriptor per connection: as many as the system allows.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    // MARK: The modes

    private static func publish(_ numbers: [Int], on loop: MQTTEventLoop) async throws {
        let load = try Load(numbers)
        let bench = try await BenchClient(port: numbers[0], loop: loop)
        say("ready")
        let duration = try await bench.publish(load)
        report("rate", Double(load.count) / duration.inSeconds)
        await bench.disconnect()
    }

    private static func awaitEach(_ numbers: [Int], on loop: MQTTEventLoop) async throws {
        let load = try Load(numbers)
        let bench = try await BenchClient(port: numbers[0], loop: loop)
        say("ready")
        let duration = try await EachPublisher(client: bench.client).publish(load)
        report("rate", Double(load.count) / duration.inSeconds)
        await bench.disconnect()
    }

    private static func receive(_ numbers: [Int], on loop: MQTTEventLoop) async throws {
        let load = try Load(numbers)
        let bench = try await BenchClient(port: numbers[0], loop: loop)
        let duration = try await bench.receive(load) { say("ready") }
        report("rate", Double(load.count - 1) / duration.inSeconds)
        await bench.disconnect()
    }

    private static func respond(_ numbers: [Int], on loop: MQTTEventLoop) async throws {
        let bench = try await BenchClient(port: numbers[0], loop: loop)
        try await bench.respond { say("ready") }
    }

    private static func roundTrip(_ numbers: [Int], on loop: MQTTEventLoop) async throws {
        let bench = try await BenchClient(port: numbers[0], loop: loop)
        let (trips, duration) = try await bench.roundTrips(
            concurrent: numbers[1], count: numbers[2]
        ) { say("ready") }
        report("rate", Double(numbers[2]) / duration.inSeconds)
        report("p50", trips.microseconds(at: 50))
        report("p99", trips.microseconds(at: 99))
        await bench.disconnect()
    }

    private static func fleet(
        _ numbers: [Int], _ files: [String], on loop: MQTTEventLoop
    ) async throws {
        let fleet = ConnectionFleet(loop: loop)
        say("ready")
        _ = readLine()
        let duration = try await fleet.connect(
            numbers[1], port: UInt16(clamping: numbers[0]), keepAlive: .seconds(numbers[2]),
            tls: files.count < 3
                ? nil
                : MQTTTLSConfiguration(
                    authorityFile: files[0], certificateFile: files[1], keyFile: files[2]))
        report("connected", duration.inSeconds)
        _ = readLine()
        try await fleet.pace()
        while readLine() != nil {}
    }
}

/// One line on standard error.
func say(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}

/// One result.
func report(_ name: String, _ value: Double) {
    print(name, value)
    fflush(nil)
}
