public import DeviceDomain
internal import DeviceMessages
public import History
internal import LedgerRows

extension PostgresSampleStore {
    public func samples(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedSample] {
        try await samples(
            of: RecordedDevice(device, in: home),
            period.lowerBound.milliseconds..<period.upperBound.milliseconds)
    }

    public func means(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>, length: Int
    ) async throws(HistoryError) -> [RecordedSample] {
        var means = MeanBlock()
        means.add(
            try await samples(of: RecordedDevice(device, in: home), period.whole(length)),
            length: length)
        return means.samples(length: length) { _ in true }
    }

    private func samples(
        of device: RecordedDevice, _ period: Range<Int>
    ) async throws(HistoryError) -> [RecordedSample] {
        try await perform { connection in
            try connection.run(
                PostgresStatement(
                    """
                    SELECT at, boot, n, signals FROM sample
                    WHERE home = $1 AND device = $2 AND at >= $3 AND at < $4 ORDER BY at, boot, n
                    """,
                    [
                        .text(device.home.text), .text(device.device.text),
                        .integer(period.lowerBound), .integer(period.upperBound),
                    ])
            ).rows.map { row in
                guard let at = row.integer(0) else { throw DamagedColumn(name: "at") }
                let n = row.integer(2) ?? 0
                return RecordedSample(
                    at: Timestamp(milliseconds: at),
                    values: try row.object(3, "signals"),
                    boot: row.text(1).flatMap { BootID(rawValue: $0) }, n: n == 0 ? nil : n)
            }
        }
    }

    public func facts(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedFact] {
        try await perform { connection in
            try connection.run(
                PostgresStatement(
                    """
                    SELECT at, kind, name, id, detail FROM fact
                    WHERE home = $1 AND device = $2 AND at >= $3 AND at < $4 ORDER BY at, kind, name, id
                    """,
                    [
                        .text(home.text), .text(device.text), .moment(period.lowerBound),
                        .moment(period.upperBound),
                    ])
            ).rows.compactMap { row in
                // A kind of a later version is left out.
                guard let kind = row.text(1).flatMap(RecordedFact.Kind.init) else { return nil }
                guard let at = row.integer(0) else { throw DamagedColumn(name: "at") }
                return RecordedFact(
                    at: Timestamp(milliseconds: at), kind: kind, name: row.text(2) ?? "",
                    id: row.text(3) ?? "", detail: try row.object(4, "detail"))
            }
        }
    }

    public func span(
        of device: DeviceID, in home: HomeID
    ) async throws(HistoryError) -> ClosedRange<Timestamp>? {
        try await perform { connection in
            let row = try connection.run(
                PostgresStatement(
                    "SELECT min(at), max(at) FROM sample WHERE home = $1 AND device = $2",
                    [.text(home.text), .text(device.text)])
            ).first
            guard let first = row?.integer(0), let last = row?.integer(1) else { return nil }
            return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
        }
    }
}

extension PostgresRow {
    /// An object of JSON.
    fileprivate func object(_ column: Int, _ name: String) throws -> JSONObject {
        guard let bytes = bytes(column), let object = (try? JSONReader.read(bytes))?.object else {
            throw DamagedColumn(name: name)
        }
        return object
    }
}
