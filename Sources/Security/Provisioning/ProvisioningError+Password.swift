internal import DeviceDomain
public import Keychain

extension ProvisioningError {
    /// Why no Wi-Fi network can have a password; `nil` for one that a network can have, and for an empty one,
    /// which is for an open network.
    ///
    /// A passphrase of WPA has 8 to 63 bytes; 64 hexadecimal digits are the key itself (IEEE 802.11, annex J).
    public init?(unusable password: Secret) {
        let isKey = password.withUnsafeBytes { bytes in
            bytes.count == 64
                && bytes.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        }
        guard password.count > 0, !(8...63).contains(password.count), !isKey else { return nil }
        self.init(
            .unusablePassword,
            "no Wi-Fi network has a password of \(password.count) bytes: it has 8 to 63, or 64 "
                + "hexadecimal digits, and none for an open network", .retryPassword)
    }
}
