import DeviceDomain
import MQTTClient

/// What the devices of a fleet present to a broker that speaks TLS, and check it with.
///
/// Devices with the same files share one OpenSSL context.
package struct FleetIdentity: Sendable {
    /// What a device presents.
    package enum Presentation: Sendable {
        /// Nothing: it connects with user name and password, or as nobody.
        case nothing
        /// One certificate for all devices; without a key file the key is in the same file.
        case shared(certificateFile: String, keyFile: String?)
        /// `HOME/DEVICE.crt` and `.key` of a folder.
        case folder(String)
    }

    /// The authorities that may have issued the broker's certificate; `nil` for the system's.
    let authorityFile: String?
    let presentation: Presentation

    package init(authorityFile: String? = nil, presenting presentation: Presentation = .nothing) {
        self.authorityFile = authorityFile
        self.presentation = presentation
    }

    /// The option of the command line that asks for TLS, if one does.
    var option: String? {
        switch presentation {
        case .nothing: authorityFile == nil ? nil : "--ca-file"
        case .shared: "--cert-file"
        case .folder: "--identities"
        }
    }

    /// The files of all devices; `nil` where each has its own.
    var common: MQTTTLSConfiguration? {
        switch presentation {
        case .nothing: MQTTTLSConfiguration(authorityFile: authorityFile)
        case .shared(let certificate, let key):
            MQTTTLSConfiguration(
                authorityFile: authorityFile, certificateFile: certificate, keyFile: key)
        case .folder: nil
        }
    }

    /// The files of a device.
    func configuration(of device: DeviceKey) -> MQTTTLSConfiguration {
        switch presentation {
        case .nothing, .shared: common ?? MQTTTLSConfiguration(authorityFile: authorityFile)
        case .folder(let folder):
            MQTTTLSConfiguration(
                authorityFile: authorityFile, certificateFile: "\(folder)/\(device).crt",
                keyFile: "\(folder)/\(device).key")
        }
    }
}

extension FleetBroker {
    /// Reads the files of every device once, so that a wrong one is found before the first connects.
    /// - Throws: ``FleetError`` that names the file and what to do.
    package func checkIdentities(of plan: FleetPlan) throws(FleetError) {
        guard address.usesTLS else { return }
        var checked: Set<MQTTTLSConfiguration> = []
        for device in plan.devices {
            let key = device.key
            let configuration = identity.configuration(of: key)
            guard checked.insert(configuration).inserted else { continue }
            do {
                try configuration.validate(for: address)
            } catch {
                throw FleetError(.unusableOption, error.message + advice(for: key))
            }
        }
    }

    private func advice(for device: DeviceKey) -> String {
        switch identity.presentation {
        case .nothing, .shared: ""
        case .folder(let folder):
            "; 'homeport identity issue \(device.device) --home \(device.home) --directory \(folder)' "
                + "makes certificate and key of \(device)"
        }
    }
}
