import DeviceDomain
package import MQTTClient

extension FleetBroker {
    /// How a controller connects that a run brings along.
    /// - Parameters:
    ///   - clientID: an id that nobody else has.
    ///   - credentials: as whom; `nil` for those of the devices, where all have the same.
    /// - Throws: `MQTTError` where the id is not valid.
    package func configuration(
        ofController clientID: String, speaking version: FleetProtocolVersion,
        credentials: MQTTCredentials?
    ) throws(MQTTError) -> MQTTConfiguration {
        var configuration = MQTTConfiguration(
            broker: address, security: securityOfController,
            clientID: try MQTTClientID(clientID), version: version.mqtt, cleanStart: true,
            credentials: credentials ?? commonCredentials,
            reconnect: MQTTReconnectPolicy(spread: .seconds(1)))
        configuration.isClientIDUnique = true
        configuration.locator = locator
        return configuration
    }

    private var securityOfController: MQTTSecurity {
        address.usesTLS ? .tls(identity.configurationOfController) : .plaintextAnywhere
    }
}

extension FleetIdentity {
    /// The files of a controller, which has no certificate of its own.
    fileprivate var configurationOfController: MQTTTLSConfiguration {
        switch presentation {
        case .nothing, .folder: MQTTTLSConfiguration(authorityFile: authorityFile)
        case .shared(let certificate, let key):
            MQTTTLSConfiguration(
                authorityFile: authorityFile, certificateFile: certificate, keyFile: key)
        }
    }
}
