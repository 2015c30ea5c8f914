/// What a device logs in with: product key, DeviceName and DeviceSecret.
package struct AlinkTriple: Hashable, Sendable {
    /// Product and DeviceName.
    package let name: ThingName
    /// Its secret.
    package let secret: AlinkSecret

    package init(_ name: ThingName, secret: AlinkSecret) {
        self.name = name
        self.secret = secret
    }

    /// Reads the text of a file with a line `PRODUCTKEY DEVICENAME DEVICESECRET` for each device. Empty lines and
    /// those that begin with `#` are left out.
    /// - Throws: ``AlinkTripleError`` with the number of the first line that is wrong.
    package static func read(_ text: String) throws(AlinkTripleError) -> [AlinkTriple] {
        var triples: [AlinkTriple] = []
        var known: Set<ThingName> = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (place, line) in lines.enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, first.first != "#" else { continue }
            guard words.count == 3, let product = ProductKey(first),
                let name = ThingName(product: product, device: words[1])
            else {
                throw AlinkTripleError(
                    line: place + 1, message: "write PRODUCTKEY DEVICENAME DEVICESECRET")
            }
            guard known.insert(name).inserted else {
                throw AlinkTripleError(line: place + 1, message: "\(name) is there twice")
            }
            triples.append(AlinkTriple(name, secret: AlinkSecret(String(words[2]))))
        }
        return triples
    }
}

/// A file of triples is wrong.
package struct AlinkTripleError: Error, Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// What is wrong with it, and what to write.
    package let message: String
}
