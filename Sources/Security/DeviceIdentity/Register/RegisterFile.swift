internal import Keychain

/// The register of a home in a file that its user alone can read. Any number of processes may use it.
struct RegisterFile: Sendable {
    let path: String

    /// The register; an empty one where there is no file.
    /// - Throws: ``IdentityError`` `damaged`, `keychain` where somebody else could read or replace it.
    func read() throws(IdentityError) -> IdentityRegister {
        do throws(KeychainError) {
            guard let contents = try PrivateFile(path: path).read() else {
                return IdentityRegister()
            }
            let text = contents.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            if let register = IdentityRegister(text: text) { return register }
        } catch {
            throw IdentityError(error)
        }
        throw IdentityError(
            .damaged,
            "the register of certificates \(path) is damaged or of a newer version; restore it from a "
                + "copy")
    }

    /// Changes the register while no other process does. A crash at any moment leaves the old or the new
    /// contents, and nothing is changed where `body` throws but what it has saved.
    func change<Value>(
        _ body: (inout IdentityRegister) throws(IdentityError) -> Value
    ) throws(IdentityError) -> Value {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let old = try read()
        var new = old
        let value = try body(&new)
        if new != old { try save(new) }
        return value
    }

    private func lock() throws(IdentityError) -> KeychainLock {
        do {
            return try KeychainLock(making: path + ".lock")
        } catch {
            throw IdentityError(error)
        }
    }

    /// Stores the register as it is in the midst of a change. Only the body of a change may call it.
    func save(_ register: IdentityRegister) throws(IdentityError) {
        do {
            try PrivateFile(path: path).write(Secret(Array(register.text.utf8)))
        } catch {
            throw IdentityError(error)
        }
    }
}
