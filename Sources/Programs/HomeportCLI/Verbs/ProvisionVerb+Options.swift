import ArgumentParser

extension ProvisionVerb {
    /// Checks which options are given together: those of a boxed device, or those of a Matter device.
    func requireFittingOptions() throws {
        guard try matter.target() != nil else {
            guard qr != nil else {
                throw ValidationError(
                    "pass --qr for a boxed device, or --matter for a Matter device")
            }
            guard ssid != nil else {
                throw ValidationError("pass --ssid: the Wi-Fi network that the device joins")
            }
            return
        }
        guard qr == nil, address == nil, device == nil, deviceBroker == nil, security == nil,
            !allowWeakSession
        else {
            throw ValidationError(
                "--qr, --address, --device, --device-broker, --security and --allow-weak-session are for boxed "
                    + "devices, and not for --matter")
        }
        guard password == nil || ssid != nil else {
            throw ValidationError("--password is that of a network: pass --ssid as well")
        }
        let inputs = [password == .firstLine, matter.thread == .firstLine, matter.matter == "-"]
        guard inputs.count(where: { $0 }) < 2 else {
            throw ValidationError("stdin is the first line of one option only: pass one - at most")
        }
    }
}
