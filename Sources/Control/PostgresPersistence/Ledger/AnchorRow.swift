internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

/// A link of the chain over all homes: where the log of a home ended when somebody made, took or released it.
struct AnchorRow {
    let number: Int
    let at: Int
    let controller: String
    let home: String
    let epoch: Int
    /// Who has taken it; `nil` where it was made or released.
    let instance: String?
    let head: AuditHead

    /// What a query must select for ``init(_:)``; behind it is the hash.
    static let columns = [
        "number", "at", "controller", "home", "epoch", "instance", "lastNumber", "lastHash",
    ]

    /// Reads a row of ``columns``.
    init(_ row: PostgresRow) throws {
        var columns = ColumnReader(row)
        number = try columns.integer("number")
        at = try columns.integer("at")
        controller = try columns.text("controller")
        home = try columns.text("home")
        epoch = try columns.integer("epoch")
        instance = columns.textIfAny()
        head = AuditHead(
            number: try columns.integer("lastNumber"),
            hash: SHA256(stored: try columns.bytes("lastHash")) ?? .none)
    }

    init(
        _ key: HomeKey, at moment: Timestamp, number: Int, epoch: Int, instance: String?,
        _ head: AuditHead
    ) {
        self.number = number
        at = moment.milliseconds
        controller = key.controller.text
        home = key.home.text
        self.epoch = epoch
        self.instance = instance
        self.head = head
    }

    /// Its hash behind that of the link before.
    func hash(after previous: SHA256) -> SHA256 {
        let members: JSONObject = [
            "n": .integer(number), "previous": .string(previous.hexadecimal), "at": .integer(at),
            "controller": .string(controller), "home": .string(home), "epoch": .integer(epoch),
            "instance": instance.map(JSONValue.string) ?? .null,
            "entries": .integer(head.number), "last": .string(head.hash.hexadecimal),
        ]
        return SHA256.digest(of: members.stored)
    }
}

extension PostgresTransaction {
    /// Locks the end of the chain. Who locks homes to take or release them does this before: two that lock the same ones
    /// in another order would wait for each other.
    func lockAnchors() { add(PostgresStatement("SELECT FROM anchorHead FOR UPDATE")) }

    /// Adds a link for a home whose row the transaction has locked.
    func addAnchor(
        _ key: HomeKey, epoch: Int, instance: String?, _ head: AuditHead
    ) throws {
        let rows = try query(
            PostgresStatement("SELECT number, hash FROM anchorHead FOR UPDATE"))
        var columns = ColumnReader(try StoredValue.required(rows.first, "anchorHead"))
        let row = AnchorRow(
            key, at: clock, number: try columns.integer("number") + 1, epoch: epoch,
            instance: instance, head)
        let previous = try StoredValue.required(SHA256(stored: columns.bytes("hash")), "hash")
        let hash = PostgresValue.bytes(row.hash(after: previous).bytes)
        let names = AnchorRow.columns + ["hash"]
        add(
            PostgresStatement(
                CommandStatements.statement(into: "anchor", names),
                [
                    .integer(row.number), .moment(clock), .text(row.controller), .text(row.home),
                    .integer(epoch), PostgresValue(.text(ifAny: instance)), .integer(head.number),
                    .bytes(head.hash.bytes), hash,
                ]))
        add(
            PostgresStatement(
                "UPDATE anchorHead SET number = $1, hash = $2", [.integer(row.number), hash]))
    }
}
