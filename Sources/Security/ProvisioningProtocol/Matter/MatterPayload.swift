/// What is in a Matter code.
struct MatterPayload {
    /// How the text of a QR code begins.
    static let prefix = "MT:"
    /// Bytes of the fixed part of a QR code: 88 bits. What follows is the maker's own.
    private static let fixedLength = 11
    /// The largest passcode.
    private static let largestPasscode = 99_999_998

    let discriminator: MatterSetupCode.Discriminator
    let passcode: Int
    let vendor: Int?
    let product: Int?

    // MARK: QR codes

    /// Reads the text of a QR code: `MT:` and bits, the least significant first.
    init(qr text: String) throws(ProvisioningProtocolError) {
        let body = text.dropFirst(Self.prefix.count)
        guard !body.contains("*") else {
            throw .matterCode(
                "the QR code is that of several devices", "scan the label of the device itself")
        }
        guard let bytes = Base38.bytes(of: body.utf8) else {
            throw .matterCode(
                "the text behind MT: is damaged, of \(body.utf8.count) characters",
                "copy the whole text of the QR code")
        }
        guard bytes.count >= Self.fixedLength else {
            throw .matterCode(
                "the text behind MT: has \(body.utf8.count) characters, and needs 19 at least",
                "copy the whole text of the QR code")
        }
        var bits = Bits(bytes)
        let version = bits.take(3)
        guard version == 0 else {
            throw .matterCode(
                "its version is \(version); only 0 is supported", "update homeport")
        }
        let (vendor, product) = (bits.take(16), bits.take(16))
        // How the maker wants it to be begun, and by which radio: the server finds out itself.
        _ = bits.take(2 + 8)
        let discriminator = bits.take(12)
        let passcode = bits.take(27)
        guard bits.take(4) == 0 else {
            throw .matterCode(
                "the text behind MT: is damaged", "copy the whole text of the QR code")
        }
        self.discriminator = .long(discriminator)
        self.passcode = try Self.usable(passcode)
        self.vendor = vendor == 0 ? nil : vendor
        self.product = vendor == 0 ? nil : product
    }

    // MARK: Manual codes

    /// Reads the digits of a manual code.
    init(manual text: String) throws(ProvisioningProtocolError) {
        let digits = text.utf8.compactMap { byte in
            (48...57).contains(byte) ? Int(byte) - 48 : nil
        }
        guard digits.count == text.utf8.count, !digits.isEmpty else {
            throw .matterCode(
                "it is neither 11 or 21 digits nor a text that begins with MT:",
                "give the code on the device's label, or that of the app that shares the device")
        }
        guard [11, 21].contains(digits.count) else {
            throw .matterCode(
                "it has \(digits.count) digits, and a manual code has 11 or 21",
                "compare it with the label")
        }
        guard CheckDigit.isRight(digits) else {
            throw .matterCode(
                "its check digit is wrong, so a digit is mistyped, or two are exchanged",
                "compare it with the label")
        }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let (first, middle, last) = (digits[0], number(1..<6), number(6..<10))
        // Bit 2 of the first digit says that maker and product follow.
        guard first < 8, (first >> 2 == 1) == (digits.count == 21), middle <= 0xFFFF,
            last <= 0x1FFF
        else {
            throw .matterCode(
                "no device has such a code of \(digits.count) digits", "compare it with the label")
        }
        discriminator = .short((first & 3) << 2 | middle >> 14)
        passcode = try Self.usable(last << 14 | middle & 0x3FFF)
        guard digits.count == 21 else {
            (vendor, product) = (nil, nil)
            return
        }
        let numbers = (number(10..<15), number(15..<20))
        guard numbers.0 <= 0xFFFF, numbers.1 <= 0xFFFF else {
            throw .matterCode(
                "no maker or product has such a number", "compare it with the label")
        }
        vendor = numbers.0 == 0 ? nil : numbers.0
        product = numbers.0 == 0 ? nil : numbers.1
    }

    /// Passcodes that everybody would guess are not allowed (5.1.7.1).
    private static func usable(_ passcode: Int) throws(ProvisioningProtocolError) -> Int {
        let isTrivial = passcode % 11_111_111 == 0 || [12_345_678, 87_654_321].contains(passcode)
        guard (1...largestPasscode).contains(passcode), !isTrivial else {
            throw .matterCode(
                "no device may have its passcode", "compare it with the label")
        }
        return passcode
    }
}

/// Bits of bytes, the least significant first.
private struct Bits {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int) -> Int {
        var number = 0
        for bit in 0..<count where position + bit < bytes.count * 8 {
            let place = position + bit
            number |= Int(bytes[place / 8] >> (place % 8) & 1) << bit
        }
        position += count
        return number
    }
}

extension ProvisioningProtocolError {
    /// The text may be a code with a slip, so the error does not repeat it.
    fileprivate static func matterCode(
        _ reason: String, _ remedy: String
    ) -> ProvisioningProtocolError {
        ProvisioningProtocolError(
            .unusableSetupCode, "the Matter code cannot be used: \(reason); \(remedy)")
    }
}
