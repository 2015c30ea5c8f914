internal import Basics
package import DeviceDomain
package import DeviceSimulation
internal import Fleet
internal import Keychain
package import ProvisioningProtocol

/// What the factory gave a boxed device: a function of the seed, its home and its name alone.
package struct BoxedIdentity: Sendable {
    /// What it becomes if it is given Wi-Fi but no claim.
    package let device: DeviceIdentity
    /// Its serial number.
    package let serial: String
    /// What its label says.
    package let code: SetupCode
    /// The address of its access point, of its own on the loopback interface.
    package let address: String
    /// What all its randomness derives from.
    package let seed: UInt64
    /// How it checks who sets it up.
    let credentials: DeviceCredentials

    /// The device with this number, from 1 on; its security and its model follow from the number.
    package init(number: Int, home: HomeID, seed: UInt64) {
        let kinds = BehaviourCatalog.standard.kinds
        let kind = kinds[(number - 1) % kinds.count]
        let device = DeviceIdentity(
            home: home, device: Self.name(number), model: kind.boxedModel,
            name: "\(kind.title) from box \(number)")
        var generator = SeededGenerator(seed: seed, identity: device, purpose: "factory")
        let tag = Self.text(6, of: Self.hexadecimal, &generator)
        self.device = device
        self.seed = seed
        serial = "HP-" + Self.text(10, of: Self.hexadecimal, &generator).uppercased()
        let proof = Secret(Array(Self.text(8, of: Self.letters, &generator).utf8))
        let security: ProvisioningSecurity =
            number.isMultiple(of: 2) ? .password : .proofOfPossession
        code = SetupCode(
            name: "PROV_\(tag)", proof: proof,
            username: security == .password ? Self.username : nil, security: security)
        // 127.16.0.1 and on: away from 127.0.0.1, where other programs listen.
        address = "127.\(16 + number >> 16 & 0x7F).\(number >> 8 & 0xFF).\(number & 0xFF)"
        credentials =
            switch security {
            case .unprotected: .unprotected
            case .proofOfPossession: .proofOfPossession(proof)
            case .password:
                .password(
                    SRPLogin(
                        username: Self.username, password: proof, salt: Self.salt(&generator)))
            }
    }

    /// The user of Security 2, as in Espressif's examples.
    private static let username = "wifiprov"
    private static let hexadecimal = Array("0123456789abcdef")
    /// Without those that are easily confused on a label.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// The name that a device has before a claim gives it another.
    static func key(of number: Int, in home: HomeID) -> DeviceKey {
        DeviceKey(home: home, device: name(number))
    }

    private static func name(_ number: Int) -> DeviceID {
        guard let name = DeviceID(rawValue: "boxed-\(number)") else {
            preconditionFailure("a word and a number make a device id")
        }
        return name
    }

    private static func text(
        _ count: Int, of letters: [Character], _ generator: inout SeededGenerator
    ) -> String {
        String((0..<count).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }

    /// 16 bytes, of which the first is not 0: Espressif's client drops leading zeros.
    private static func salt(_ generator: inout SeededGenerator) -> [UInt8] {
        [UInt8.random(in: 1...255, using: &generator)]
            + (1..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

extension BoxedIdentity {
    /// The kind of its model.
    var kind: DeviceKind {
        (try? DeviceFactory.standard.blueprint(of: device.model))?.kind
            ?? DeviceKind(rawValue: "generic")
    }

    /// `HOME/NAME`.
    package var key: String { "\(device.home)/\(device.device)" }
}

extension BoxedIdentity {
    /// What the device is in a home.
    func device(in membership: BoxedMembership) -> DeviceIdentity {
        DeviceIdentity(
            home: membership.home, device: membership.device, model: device.model,
            name: device.name, firmware: device.firmware)
    }
}
