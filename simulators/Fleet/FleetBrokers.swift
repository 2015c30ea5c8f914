package import DeviceDomain
import DeviceSimulation
import MQTTClient

/// The brokers of a fleet, and the addresses from which its devices connect.
///
/// Home k uses broker ((k − 1) mod B) + 1, by the number in its name, so that each process and each shard finds the same
/// one; a home of another name uses the first.
package struct FleetBrokers: Sendable, CustomStringConvertible {
    /// All of them; at least one.
    package let all: [FleetBroker]
    /// Numeric addresses of this machine that connections take in turn; none for the one that the system chooses.
    package let sources: [String]

    /// - Precondition: there is at least one broker.
    package init(_ all: [FleetBroker], sources: [String] = []) {
        precondition(!all.isEmpty, "a fleet has at least one broker")
        self.all = all
        self.sources = sources
    }

    /// The broker of a home.
    package subscript(home: HomeID) -> FleetBroker { all[place(of: home)] }

    /// Which of the brokers a home uses.
    package func place(of home: HomeID) -> Int {
        let word = "home-"
        guard home.text.hasPrefix(word), let number = Int(home.text.dropFirst(word.count)),
            number > 0
        else { return 0 }
        return (number - 1) % all.count
    }

    /// The address from which a device connects.
    /// - Parameter index: its number in its process.
    func source(of index: Int) -> String? {
        sources.isEmpty ? nil : sources[index % sources.count]
    }

    /// How many devices each broker has.
    package func counts(of plan: FleetPlan) -> [Int] {
        plan.devices.reduce(into: Array(repeating: 0, count: all.count)) {
            $0[place(of: $1.identity.home)] += 1
        }
    }

    /// Whether devices connect to one of them encrypted.
    package var usesTLS: Bool { all.contains { $0.address.usesTLS } }

    /// Reads the files of every device once, so that a wrong one is found before the first connects.
    /// - Throws: ``FleetError`` that names the file and what to do.
    package func checkIdentities(of plan: FleetPlan) throws(FleetError) {
        for broker in all { try broker.checkIdentities(of: plan) }
    }

    package var description: String { all.map(\.description).joined(separator: ", ") }
}
