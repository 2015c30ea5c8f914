public import Keychain

/// What the label of a Matter device says, or the window that another controller has opened: a manual pairing code of
/// 11 or 21 digits, or the payload of a QR code (Matter core specification 1.4, 5.1).
///
/// It is checked completely before anything is sent. The passcode in it is a secret.
public struct MatterSetupCode: Equatable, Sendable {
    /// How a device that can be commissioned announces itself.
    public enum Discriminator: Hashable, Sendable {
        /// All 12 bits, 0 to 4095, from a QR code.
        case long(Int)
        /// The upper 4 of them, 0 to 15, from a manual code.
        case short(Int)

        /// Whether a device with a discriminator of 12 bits may be the one.
        public func matches(_ other: Int) -> Bool {
            switch self {
            case .long(let own): own == other
            case .short(let own): own == other >> 8
            }
        }

        /// The upper 4 bits, which both kinds of codes have.
        var short: Int {
            switch self {
            case .long(let own): own >> 8
            case .short(let own): own
            }
        }
    }

    /// The code without spaces and hyphens, as a Matter server takes it.
    public let text: Secret
    /// How the device announces itself.
    public let discriminator: Discriminator
    /// The number of the maker; `nil` where the code does not have it.
    public let vendor: Int?
    /// The maker's number of the product; `nil` where the code does not have it.
    public let product: Int?
    private let passcode: Secret

    /// Reads a code.
    /// - Throws: ``ProvisioningProtocolError`` with code `unusableSetupCode`, which repeats nothing of the code.
    public init(text: String) throws(ProvisioningProtocolError) {
        let given = text.filter { !$0.isWhitespace }
        let content: MatterPayload
        if given.uppercased().hasPrefix(MatterPayload.prefix) {
            let payload = given.uppercased()
            content = try MatterPayload(qr: payload)
            self.text = Secret(payload.utf8)
        } else {
            let digits = given.filter { $0 != "-" }
            content = try MatterPayload(manual: digits)
            self.text = Secret(digits.utf8)
        }
        discriminator = content.discriminator
        (vendor, product) = (content.vendor, content.product)
        passcode = Secret(String(content.passcode).utf8)
    }

    /// Whether a text is meant as such a code: it begins as that of a QR code does, or is a whole manual code.
    package static func isOne(_ text: String) -> Bool {
        if text.uppercased().drop(while: \.isWhitespace).hasPrefix(MatterPayload.prefix) {
            return true
        }
        do throws(ProvisioningProtocolError) {
            _ = try MatterSetupCode(text: text)
            return true
        } catch { return false }
    }

    /// Names the device without telling its code: who does not have the key can neither read nor try out the passcode.
    /// Both codes of one device give the same label.
    package func label(key: Secret) -> String {
        let code = passcode.withUnsafeBytes { passcode in
            Cryptography.hmac(
                Array("homeport-matter-label \(discriminator.short) ".utf8) + Array(passcode),
                key: key)
        }
        return code.prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }.joined()
    }

    /// A text of somebody else, in which the passcode and every form of the code are hidden: manual codes of 11 and 21
    /// digits, with and without separators, and the payloads of QR codes.
    package func redacting(_ message: String) -> String {
        let passcode = passcode.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let payload = text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return MatterCodeRedaction(
            passcode: passcode, shortDiscriminator: discriminator.short, payload: payload
        ).redacting(message)
    }
}
