internal import Connectivity
internal import MatterAdapter

/// What is wrong with the way to a Matter server, and with its nodes. It sends no command.
struct MatterCheck: Sendable {
    let server: MatterServerAddress

    /// Connects, and lists the nodes.
    func findings(over channel: MatterChannel) async -> [Finding] {
        var findings = protection.map { [$0] } ?? []
        do throws(CommunicationError) {
            try await channel.open()
            let summary = await channel.serverSummary() ?? "no schema"
            findings.append(.ok(.matterServer, "\(server) answers: \(summary)"))
            let counts = await channel.deviceCounts()
            findings.append(Self.devices(counts.all, counts.unreachable, server))
        } catch {
            findings.append(
                .problem(.matterServer, Self.text(of: error, server), remedy: Self.remedy(error)))
        }
        await channel.close()
        return findings
    }

    private var protection: Finding? {
        guard !server.usesTLS, !server.isLoopback else { return nil }
        return .warning(
            .matterServer,
            "\(server) is not on this machine, and the connection is not protected: whoever can read or "
                + "change the traffic can control the home",
            remedy: "put the server behind a proxy with TLS and use wss://, or tunnel the port")
    }

    private static func text(of error: CommunicationError, _ server: MatterServerAddress) -> String
    {
        let text = "\(error)"
        return text.contains("\(server)") ? text : "\(server): \(text)"
    }

    private static func remedy(_ error: CommunicationError) -> String {
        error.isRetriable
            ? "start the Matter server, and check url and ca-file of the channel"
            : "follow the advice, then run doctor again"
    }

    private static func devices(
        _ all: Int, _ unreachable: Int, _ server: MatterServerAddress
    ) -> Finding {
        guard unreachable > 0 else { return .ok(.devices, "\(server) lists \(all) devices") }
        return .warning(
            .devices, "\(server) does not reach \(unreachable) of \(all) devices",
            remedy: "check their power and network; 'homeport devices' shows which are offline")
    }
}

extension Finding.Check {
    /// Whether a Matter server can be reached and speaks our schema.
    public static let matterServer = Finding.Check(rawValue: "matter-server")
}
