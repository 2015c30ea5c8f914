import Homeport
import TerminalOutput

// A Matter device, which comes onto the server of a channel.
extension ProvisionVerb {
    /// Brings a Matter device in.
    /// - Parameter text: its code, a file with it, or - for the first line of stdin.
    func commission(
        _ text: String, on channel: ChannelID, in call: Call
    ) async throws(CommandLineError) -> VerbStatus {
        let interrupts = Interrupts(of: call)
        let code = Handover(try await Self.matterCode(text))
        let session = try Session(options, call)
        let keychain = try keychain()
        let networks = Handover(try await networks(keychain))
        let renderer = ProvisioningRenderer(format: common.format, isMatter: true)
        let console = call.console
        let networkOnly = matter.onNetwork
        return try await session.withHome { home in
            let outcome = await interrupts.cancellingToEnd {
                () -> Result<CommissioningResult, HomeError> in
                let networks = networks.take()
                do throws(HomeError) {
                    return .success(
                        try await home.commissioner(on: channel).bringIn(
                            code.take(), wiFi: networks.wiFi, thread: networks.thread,
                            networkOnly: networkOnly, keychain: keychain
                        ) { event in
                            switch event {
                            case .transition(let transition):
                                console.write(renderer.line(for: transition))
                            case .notice(let error): console.note(error.message)
                            }
                        })
                } catch {
                    return .failure(error)
                }
            }
            let result = try outcome.get()
            console.write(renderer.line(for: result))
            return result.ending.status
        }
    }

    private static func matterCode(
        _ text: String
    ) async throws(CommandLineError) -> MatterSetupCode {
        let argument =
            text == "-"
            ? try WiFiPassword.firstLine().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            : text
        do {
            return try await MatterSetupCode.read(argument)
        } catch {
            throw CommandLineError(.wrongInput, "--matter: \(error.message)")
        }
    }

    /// What the server is to know of networks for new devices.
    private func networks(
        _ keychain: any KeychainService
    ) async throws(CommandLineError) -> (wiFi: WiFiAccess?, thread: ThreadDataset?) {
        var networks: (wiFi: WiFiAccess?, thread: ThreadDataset?) = (nil, nil)
        if let ssid {
            networks.wiFi = WiFiAccess(
                ssid: ssid, password: try await WiFiPassword.read(password, from: keychain))
        }
        if let thread = matter.thread {
            guard let dataset = ThreadDataset(try await thread.secret(in: keychain)) else {
                throw CommandLineError(
                    .wrongInput,
                    "--thread: it is no dataset of a Thread network: give its hexadecimal digits, as the border "
                        + "router shows them")
            }
            networks.thread = dataset
        }
        return networks
    }
}
