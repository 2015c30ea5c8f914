import Glibc

/// What a fleet asks of its machine, held against what that allows, before the first connection.
package struct Preflight: Sendable {
    /// What is to run.
    package struct Load: Sendable {
        /// All devices of this machine.
        package var devices: Int
        /// The connections of the process that has most of them, with eight files for each boxed device.
        package var mostInOneProcess: Int
        /// Files that faults of the network take in that process.
        package var filesOfLinkFaults = 0
        /// How many devices another client takes the id of: each of these has a connection of its own.
        package var intruders = 0
        /// How many homes there are: more processes would have nothing to do.
        package var homes: Int
        /// Files that a process has open beside connections and the reserve.
        package var files: Int
        /// How many devices each broker has.
        package var devicesOfBrokers: [Int]
        /// Whether the broker is a process of this fleet.
        package var hasPrivateBroker: Bool
        /// How many addresses connections come from; 0 for the one that the system chooses.
        package var sources: Int
        /// Whether connections are encrypted.
        package var usesTLS: Bool

        package init(
            devices: Int, mostInOneProcess: Int, homes: Int, files: Int, devicesOfBrokers: [Int],
            hasPrivateBroker: Bool, sources: Int, usesTLS: Bool
        ) {
            self.devices = devices
            self.mostInOneProcess = mostInOneProcess
            self.homes = homes
            self.files = files
            self.devicesOfBrokers = devicesOfBrokers
            self.hasPrivateBroker = hasPrivateBroker
            self.sources = sources
            self.usesTLS = usesTLS
        }
    }

    /// What the machine allows.
    package struct Limits: Sendable {
        /// Open files of one process.
        package var descriptors: Int
        /// Ports that connections of one address may come from.
        package var ports: Int
        /// Bytes of memory that are free; `nil` where nobody tells.
        package var memory: Int?

        package init(descriptors: Int, ports: Int, memory: Int?) {
            self.descriptors = descriptors
            self.ports = ports
            self.memory = memory
        }
    }

    /// Descriptors beside one for each device: standard streams, the event loop, the journal, the
    /// private broker's pipes, the metrics endpoint and its scrapers.
    static let reserve = 64
    /// What a device takes, bytes: 19,000 of them were measured at 260 MB (README, "The fleet").
    static let bytesPerDevice = 14_000
    /// What a broker of this machine takes for a device, bytes: 740 to 1,170 were measured with mosquitto 2.0.11.
    static let bytesAtBroker = 1_200
    /// What TLS takes for a connection with a shared context, bytes: 25 to 27 kB were measured with OpenSSL 3.
    static let bytesOfTLS = 27_000

    /// Holds a load against limits.
    /// - Throws: ``FleetError`` that names each limit that would be hit, with its number and what to do.
    package static func check(_ load: Load, within limits: Limits) throws(FleetError) {
        let found = [
            descriptors(load, limits), brokerDescriptors(load, limits), ports(load, limits),
            memory(load, limits),
        ].compactMap(\.self)
        guard !found.isEmpty else { return }
        throw FleetError(.tooManyDevices, found.joined(separator: "; "))
    }

    private static func descriptors(_ load: Load, _ limits: Limits) -> String? {
        let connections = load.mostInOneProcess + load.filesOfLinkFaults
        let needed = connections + load.files + reserve
        guard needed > limits.descriptors else { return nil }
        let room =
            (limits.descriptors - load.files - reserve) * load.mostInOneProcess
            / max(connections, 1)
        let processes = room > 0 ? parts(of: load.devices, each: room) : 0
        let remedy =
            processes > 0 && processes <= min(load.homes, HomeBucket.count)
            ? "use --processes \(processes) or more" : "run fewer devices"
        let faults = load.filesOfLinkFaults > 0 ? " with faults of their network" : ""
        return
            "\(load.mostInOneProcess) devices\(faults) need \(needed) open files, this process may have "
            + "\(limits.descriptors): \(remedy), or raise the hard limit (ulimit -Hn)"
    }

    private static func brokerDescriptors(_ load: Load, _ limits: Limits) -> String? {
        let needed = load.devices + load.intruders + reserve
        guard load.hasPrivateBroker, needed > limits.descriptors else { return nil }
        let brokers = parts(of: needed - reserve, each: max(limits.descriptors - reserve, 1))
        return
            "the private broker needs \(needed) open files, it may have \(limits.descriptors): start "
            + "\(brokers) brokers and name each with --broker, or raise the hard limit (ulimit -Hn)"
    }

    private static func ports(_ load: Load, _ limits: Limits) -> String? {
        // A connection that is bound to an address takes a port of it, whatever it connects to.
        let needed =
            load.sources > 0
            ? parts(of: load.devices, each: load.sources) : load.devicesOfBrokers.max() ?? 0
        guard needed > limits.ports else { return nil }
        return "\(needed) connections from one address need as many ports, the system has "
            + "\(limits.ports) (net.ipv4.ip_local_port_range): use --source "
            + "\(parts(of: load.devices, each: max(limits.ports, 1))) or more"
    }

    private static func memory(_ load: Load, _ limits: Limits) -> String? {
        let each =
            bytesPerDevice + (load.usesTLS ? bytesOfTLS : 0)
            + (load.hasPrivateBroker ? bytesAtBroker : 0)
        guard let free = limits.memory, load.devices * each > free else { return nil }
        return "\(load.devices) devices take about \(megabytes(load.devices * each)) MB of memory, "
            + "\(megabytes(free)) MB are free: run \(free / each) or fewer on this machine, and the others "
            + "with --shard on another"
    }

    private static func parts(of whole: Int, each: Int) -> Int { (whole + each - 1) / each }

    private static func megabytes(_ bytes: Int) -> Int { (bytes + 999_999) / 1_000_000 }
}

extension Preflight.Limits {
    /// Those of this machine, once this process may open as many files as the system allows.
    package static func raised() -> Preflight.Limits {
        Preflight.Limits(
            descriptors: raisedDescriptors(),
            ports: range(in: "/proc/sys/net/ipv4/ip_local_port_range") ?? .max,
            memory: availableMemory())
    }

    private static func raisedDescriptors() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .max
        }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many numbers lie between the two of a file, both included.
    private static func range(in file: String) -> Int? {
        let numbers = text(of: file).split { $0 == "\t" || $0 == " " || $0 == "\n" }.compactMap {
            Int($0)
        }
        guard numbers.count == 2, numbers[1] >= numbers[0] else { return nil }
        return numbers[1] - numbers[0] + 1
    }

    /// What the kernel says can be used without swapping (`proc(5)`, MemAvailable), and no more than the control group
    /// of this process has left.
    private static func availableMemory() -> Int? {
        let line = text(of: "/proc/meminfo").split(separator: "\n").first {
            $0.hasPrefix("MemAvailable:")
        }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let group = number(in: "/sys/fs/cgroup/memory.max").flatMap { most in
            number(in: "/sys/fs/cgroup/memory.current").map { max(0, most - $0) }
        }
        return [kilobytes.map { $0 * 1024 }, group].compactMap(\.self).min()
    }

    private static func number(in file: String) -> Int? {
        Int(text(of: file).prefix { $0 != "\n" })
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
