internal import DeviceDomain
internal import DeviceMessages

// The register as it is stored: one JSON object per line, the first about the register itself.
extension IdentityRegister {
    private static let version = 1

    /// The lines.
    var text: String {
        var head: JSONObject = [
            "v": .integer(Self.version), "list": .integer(listNumber),
            "listTime": .integer(listTime.milliseconds),
        ]
        if let exported {
            head["exportFolder"] = .string(exported.folder)
            head["exportDevices"] = .string(exported.devices)
        }
        let lines = [head] + records.map(\.members) + claims.map(\.members)
        return lines.map { members in
            String(decoding: JSONWriter.write(.object(members)), as: UTF8.self) + "\n"
        }.joined()
    }

    /// Reads the lines; `nil` if they are not as they were written.
    init?(text: String) {
        var lines = text.split(separator: "\n").map { line -> JSONObject? in
            guard
                case .success(let value) = Result(catching: {
                    try JSONReader.read(Array(line.utf8))
                })
            else { return nil }
            return value.object
        }[...]
        guard text.hasSuffix("\n"), let head = lines.popFirst() ?? nil,
            head["v"]?.integer == Self.version, let number = head["list"]?.integer,
            let time = head["listTime"]?.integer
        else { return nil }
        var records: [IdentityRecord] = []
        var claims: [ClaimRecord] = []
        for line in lines {
            guard let line else { return nil }
            if line["serial"] != nil {
                guard let record = IdentityRecord(line) else { return nil }
                records.append(record)
            } else {
                guard let claim = ClaimRecord(line) else { return nil }
                claims.append(claim)
            }
        }
        self.init(
            records: records, claims: claims, listNumber: number,
            listTime: Timestamp(milliseconds: time), exported: ExportedBroker(head))
    }
}

extension ExportedBroker {
    fileprivate init?(_ members: JSONObject) {
        guard let folder = members["exportFolder"]?.string,
            let devices = members["exportDevices"]?.string
        else { return nil }
        self.init(folder: folder, devices: devices)
    }
}

extension IdentityRecord {
    private static let serverKind = "server"

    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "serial": .string("\(serial)"), "name": .string(name.commonName),
            "notBefore": .integer(notBefore.milliseconds),
            "notAfter": .integer(notAfter.milliseconds),
        ]
        // The name of a broker may look like that of a controller.
        if name.kind == .server { members["kind"] = .string(Self.serverKind) }
        switch standing {
        case .staged: members["standing"] = "staged"
        case .active: members["standing"] = "active"
        case .superseded: members["standing"] = "superseded"
        case .revoked(let time):
            members["standing"] = "revoked"
            members["revokedAt"] = .integer(time.milliseconds)
        }
        return members
    }

    fileprivate init?(_ members: JSONObject) {
        let name =
            members["kind"]?.string == Self.serverKind
            ? members["name"]?.string.map(IdentityName.server) : IdentityName(members["name"])
        guard let name, let serial = members["serial"]?.string.flatMap(SerialNumber.init),
            let notBefore = Timestamp(members["notBefore"]),
            let notAfter = Timestamp(members["notAfter"]), let standing = Standing(members)
        else { return nil }
        self.init(
            name: name, serial: serial, notBefore: notBefore, notAfter: notAfter,
            standing: standing)
    }
}

extension IdentityRecord.Standing {
    fileprivate init?(_ members: JSONObject) {
        switch members["standing"]?.string {
        case "staged": self = .staged
        case "active": self = .active
        case "superseded": self = .superseded
        case "revoked":
            guard let time = Timestamp(members["revokedAt"]) else { return nil }
            self = .revoked(at: time)
        default: return nil
        }
    }
}

extension ClaimRecord {
    fileprivate var members: JSONObject {
        [
            "claim": .string(hash), "name": .string(name.commonName),
            "expiresAt": .integer(expiresAt.milliseconds), "used": .boolean(isUsed),
        ]
    }

    fileprivate init?(_ members: JSONObject) {
        guard let hash = members["claim"]?.string, let name = IdentityName(members["name"]),
            let expiresAt = Timestamp(members["expiresAt"]), let used = members["used"]?.boolean
        else { return nil }
        self.init(hash: hash, name: name, expiresAt: expiresAt, isUsed: used)
    }
}

extension IdentityName {
    fileprivate init?(_ value: JSONValue?) {
        guard let text = value?.string else { return nil }
        self.init(commonName: text)
    }
}

extension Timestamp {
    fileprivate init?(_ value: JSONValue?) {
        guard let milliseconds = value?.integer else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
