/// A file with a master key of 32 bytes; with two while the master key is changed.
struct KeyFile: Sendable {
    let file: PrivateFile

    /// The keys, the newest last; empty if there is no file.
    /// - Throws: ``KeychainError`` `unsafe`, `wrongKey` for a file that is none.
    func keys() throws(KeychainError) -> [Secret] {
        guard let contents = try file.read() else { return [] }
        let size = Cryptography.keySize
        guard contents.count > 0, contents.count <= 2 * size, contents.count % size == 0 else {
            throw KeychainError(
                .wrongKey, "\(file.path) is not a master key: it has \(contents.count) bytes")
        }
        return stride(from: 0, to: contents.count, by: size).map { start in
            contents.withUnsafeBytes { Secret($0[start..<start + size]) }
        }
    }

    /// Replaces the keys.
    func write(_ keys: [Secret]) throws(KeychainError) {
        try file.write(
            Secret(count: keys.count * Cryptography.keySize) { buffer in
                for (index, key) in keys.enumerated() {
                    key.withUnsafeBytes { bytes in
                        let start = index * Cryptography.keySize
                        UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyMemory(
                            from: bytes)
                    }
                }
            })
    }
}
