import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport identity revoke`.
struct IdentityRevokeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Takes every certificate of a name back, or one of them.",
        discussion: """
            Example: homeport identity revoke sweeper-1 --export broker

            With --export the revocation list and the access control of a broker that 'identity export' has \
            written are written again. The broker that runs from that folder, or else the one of \
            --reload-pid, reads them, and its connections with that name are ended; after 'rotate' the \
            owner comes back with its new certificate. Without --export brokers accept the \
            certificates until they get a new list.

            mosquitto 2.0 may crash after it has read its files again while devices are away, then or \
            when they come back. Stop it before, revoke with --export, and start it again: devices come \
            back by themselves.

            The certificate of a broker is not in any list that clients read: 'identity export' \
            gives the broker a new key and a new certificate.

            \(IdentityCommand.statuses)
               5  the certificates are revoked, but the broker could not be reached to end connections
            """)

    @Argument(
        help: ArgumentHelp(
            "The name, as 'identity list' shows it, the device's id, or the serial number of one "
                + "certificate.", valueName: "name"))
    var identity: String

    @Flag(help: "It is a controller, where a device has the same id.")
    var controller = false

    @Option(
        help: ArgumentHelp("The folder of 'identity export'.", valueName: "dir"),
        completion: .directory)
    var export: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The process of the mosquitto that reads --export, where it runs from another folder.",
            valueName: "pid"))
    var reloadPid: Int32?

    @OptionGroup(title: "Home and output") var common: CommonOptions

    func validate() throws {
        if reloadPid != nil, export == nil {
            throw ValidationError("--reload-pid needs --export DIR, whose files that broker reads")
        }
    }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let authority = try await common.tidiedAuthority(call.console)
        // Before anything is revoked: a process that is no broker is a mistake on the command line.
        let broker = try reloadPid.map { pid throws(CommandLineError) in
            guard let broker = BrokerProcess(pid) else {
                throw .usage("--reload-pid: process \(pid) is no running mosquitto")
            }
            return broker
        }
        let folder = try await exportedFolder(of: authority)
        let (name, revoked) = try await revoke(authority)
        if let folder {
            try await CommandLineError.ofIdentities { () throws(IdentityError) in
                try await authority.update(folder)
            }
        }
        call.console.write(
            IdentityRenderer(common.listStyle, call, at: authority.now).lines(for: revoked))
        guard name.kind != .server else {
            call.console.note(
                "no client looks into a revocation list for the certificate of a broker: whoever has "
                    + "its key can present it until it ends; 'homeport identity export' gives the "
                    + "broker a new key and a new certificate")
            return .done
        }
        guard let folder else { return .done }
        let running = folder.runningBroker
        guard let broker = broker ?? running else {
            call.console.note(folder.reloadAdvice)
            return .done
        }
        // The one that runs from the folder was told when the list was written.
        if broker.id != running?.id {
            try CommandLineError.ofFolder { () throws(IdentityError) in try broker.reload() }
        }
        try await authority.endConnections(of: name, at: folder) { call.console.note($0) }
        return .done
    }

    private func exportedFolder(
        of authority: IdentityAuthority
    ) async throws(CommandLineError) -> BrokerFolder? {
        guard let export else { return nil }
        return try await CommandLineError.ofIdentities { () throws(IdentityError) in
            try await authority.exportedFolder(at: export)
        }
    }

    /// - Returns: whose certificates they are, and those that were accepted until now.
    private func revoke(
        _ authority: IdentityAuthority
    ) async throws(CommandLineError) -> (name: IdentityName, revoked: [IdentityRecord]) {
        if let serial = try await serial(in: authority) {
            return try await CommandLineError.ofIdentities { () throws(IdentityError) in
                try await authority.revoke(serial)
            }
        }
        let name = try await IdentityArgument(identity, isController: controller)
            .knownName(in: authority)
        return try await CommandLineError.ofIdentities { () throws(IdentityError) in
            (name, try await authority.revoke(name))
        }
    }

    /// The serial number that is meant. In small letters it may be the id of a device, too.
    private func serial(
        in authority: IdentityAuthority
    ) async throws(CommandLineError) -> SerialNumber? {
        guard let serial = SerialNumber(identity) else { return nil }
        if "\(serial)" == identity { return serial }
        let records = try await CommandLineError.ofIdentities { () throws(IdentityError) in
            try await authority.records()
        }
        return records.contains { $0.serial == serial } ? serial : nil
    }
}
