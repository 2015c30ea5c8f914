import Homeport
import TerminalOutput

/// Takes back the certificates that nobody has confirmed within their hour.
struct LapsedCertificates: Sendable {
    /// How often a program that goes on running looks for them.
    static let interval = Duration.seconds(60)

    let authority: IdentityAuthority
    /// Is told what was taken back, and what is left to do.
    let note: @Sendable (String) -> Void

    /// Takes them back until it is cancelled.
    func run(on clock: some CommandClock = MachineClock()) async {
        while !Task.isCancelled {
            await takeBack()
            await clock.sleep(for: Self.interval)
        }
    }

    /// Takes back what there is, and has the broker that was exported last refuse it.
    func takeBack() async {
        do throws(CommandLineError) {
            let (taken, folder) = try await CommandLineError.ofIdentities {
                () throws(IdentityError) in
                (try await authority.discardLapsed(), try await authority.exportedFolder())
            }
            guard !taken.isEmpty else { return }
            for record in taken {
                note(
                    "took back the certificate \(record.serial) of \(record.name), which was not "
                        + "confirmed within an hour")
            }
            guard let folder else { return }
            guard folder.runningBroker != nil else { return note(folder.reloadAdvice) }
            for name in Set(taken.map(\.name)).sorted() where name.kind != .server {
                try await authority.endConnections(of: name, at: folder, note)
            }
        } catch {
            note("certificates that were not confirmed: \(error)")
        }
    }
}

extension IdentityAuthority {
    /// Ends the connections of a name whose certificates were taken back.
    /// - Parameter note: is told where the broker cannot do that.
    func endConnections(
        of name: IdentityName, at folder: BrokerFolder, _ note: (String) -> Void
    ) async throws(CommandLineError) {
        let ending = try await CommandLineError.ofIdentities { () throws(IdentityError) in
            try await self.ending(name, at: folder) { await $0.carryOut() }
        }
        switch ending {
        case .ended: break
        case .noPlugin:
            note(
                "the broker has no plugin to end connections: \(name) has no rights any more, but stays "
                    + "connected until the broker is restarted")
        case .failed(let failure): throw failure
        }
    }
}

extension BrokerFolder {
    /// What is left to do where it is not known whether a broker runs from the folder.
    var reloadAdvice: String {
        "no running broker is known to read \(path): one that runs from a copy, or as another user, "
            + "accepts what was taken back until you copy acl and crl.pem to it and restart it or send "
            + "it SIGHUP"
    }
}

extension CommonOptions {
    /// The authority of the home that the options name, for a verb that may change its register: first it takes
    /// back what nobody has confirmed in time.
    func tidiedAuthority(_ console: Console) async throws(CommandLineError) -> IdentityAuthority {
        let authority = try identityAuthority()
        await LapsedCertificates(authority: authority) { console.note($0) }.takeBack()
        return authority
    }
}
