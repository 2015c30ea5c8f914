internal import DeviceDomain
internal import DeviceMessages

/// The samples of one device over some time, column by column: what a device repeats, and names, cost next to
/// nothing.
///
/// The bytes: a 1 for the version; the number of rows; their times; the boots and which row has which; the
/// numbers of the samples; the number of signals; for each its name, which rows have it, and its values.
package enum SampleBlock {
    private static let version: UInt8 = 1
    /// The most rows of a block.
    static let mostRows = 1 << 17
    /// The most bytes of its values that are no numbers, of each signal each different value once: 1 MiB. A device that
    /// tells a new place of 60 bytes each second needs a fifth of it in an hour.
    private static let mostTextBytes = 1 << 20
    /// The most signals of a block.
    static let mostColumns = 1 << 12
    /// The most values that damaged bytes can make a reader build.
    static let mostCells = 1 << 23
    /// How the values of a signal are stored that are not all numbers: a table of JSON texts, and which row has which.
    private static let texts: UInt8 = 0x20

    /// The newest samples that a block has room for. Older ones, whose texts it has no room for, keep their numbers.
    /// - Parameter samples: in their order.
    package static func newest(of samples: [RecordedSample]) -> [RecordedSample] {
        var newest: [RecordedSample] = []
        var texts: [String: Set<JSONValue>] = [:]
        var room = mostTextBytes
        for var sample in samples.suffix(mostRows).reversed() {
            for (name, value) in sample.values where room >= 0 && value.number == nil {
                guard texts[name, default: []].insert(value).inserted else { continue }
                room -= JSONWriter.write(value).count
            }
            if room < 0 {
                sample.values = sample.values.filter { $0.value.number != nil }
                if sample.values.isEmpty { continue }
            }
            newest.append(sample)
        }
        return newest.reversed()
    }

    /// The bytes of samples, in their order.
    package static func bytes(of samples: [RecordedSample]) -> [UInt8] {
        var writer = BlockWriter()
        writer.write(raw: [version])
        writer.write(count: samples.count)
        writer.write(steps: samples.map(\.at.milliseconds))
        writeTable(of: samples.map { $0.boot?.text ?? "" }, to: &writer)
        writer.write(steps: samples.map { $0.n ?? 0 })
        let names = Set(samples.flatMap(\.values.keys)).sorted()
        writer.write(count: names.count)
        for name in names {
            writer.write(name)
            write(samples.map { $0.values[name] }, to: &writer)
        }
        return writer.bytes
    }

    /// The samples that bytes stand for.
    package static func samples(in bytes: [UInt8]) throws(DamagedBlock) -> [RecordedSample] {
        var reader = BlockReader(bytes)
        guard try reader.byte() == version else { throw DamagedBlock() }
        let rows = try reader.count(upTo: mostRows)
        let times = try reader.steps(rows)
        let boots = try table(of: rows, from: &reader)
        let numbers = try reader.steps(rows)
        var samples: [RecordedSample] = []
        samples.reserveCapacity(rows)
        for row in 0..<rows {
            let boot = boots[row].isEmpty ? nil : BootID(rawValue: boots[row])
            guard boot != nil || boots[row].isEmpty, numbers[row] >= 0 else { throw DamagedBlock() }
            samples.append(
                RecordedSample(
                    at: Timestamp(milliseconds: times[row]), values: [:], boot: boot,
                    n: numbers[row] == 0 ? nil : numbers[row]))
        }
        let columns = try reader.count(upTo: min(mostColumns, mostCells / max(rows, 1)))
        for _ in 0..<columns {
            let name = try reader.text()
            try read(into: &samples, name, from: &reader)
        }
        guard reader.rest == 0 else { throw DamagedBlock() }
        return samples
    }

    // MARK: Columns

    private static func write(_ column: [JSONValue?], to writer: inout BlockWriter) {
        let present = column.compactMap(\.self)
        writeRows(column.map { $0 != nil }, present.count, to: &writer)
        let numbers = present.compactMap(\.number)
        if numbers.count == present.count { return NumberColumn.write(numbers, to: &writer) }
        writer.write(raw: [texts])
        writeTable(
            of: present.map { String(decoding: JSONWriter.write($0), as: UTF8.self) }, to: &writer)
    }

    private static func read(
        into samples: inout [RecordedSample], _ name: String, from reader: inout BlockReader
    ) throws(DamagedBlock) {
        let rows = try rows(of: samples.count, from: &reader)
        guard reader.next == texts else {
            let numbers = try NumberColumn.read(rows.count, from: &reader)
            for (row, number) in zip(rows, numbers) { samples[row].values[name] = .number(number) }
            return
        }
        _ = try reader.byte()
        let found = try table(of: rows.count, from: &reader)
        var values: [String: JSONValue] = [:]
        for (row, text) in zip(rows, found) {
            if values[text] == nil {
                guard let value = try? JSONReader.read(Array(text.utf8)) else {
                    throw DamagedBlock()
                }
                values[text] = value
            }
            samples[row].values[name] = values[text]
        }
    }

    /// Which rows have a value: their number and, unless all have one, a bit for each.
    private static func writeRows(
        _ isPresent: [Bool], _ count: Int, to writer: inout BlockWriter
    ) {
        writer.write(count: count)
        guard count < isPresent.count else { return }
        var bits = [UInt8](repeating: 0, count: (isPresent.count + 7) / 8)
        for (row, isPresent) in isPresent.enumerated() where isPresent {
            bits[row / 8] |= 1 << UInt8(row % 8)
        }
        writer.write(raw: bits)
    }

    private static func rows(
        of count: Int, from reader: inout BlockReader
    ) throws(DamagedBlock) -> [Int] {
        let present = try reader.count(upTo: count)
        guard present < count else { return Array(0..<count) }
        let bits = Array(try reader.raw((count + 7) / 8))
        let rows = (0..<count).filter { bits[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
        guard rows.count == present else { throw DamagedBlock() }
        return rows
    }

    /// Texts that repeat themselves: each once, and which row has which.
    private static func writeTable(of texts: [String], to writer: inout BlockWriter) {
        var places: [String: Int] = [:]
        var table: [String] = []
        let indexes = texts.map { text in
            if let place = places[text] { return place }
            places[text] = table.count
            table.append(text)
            return table.count - 1
        }
        writer.write(count: table.count)
        for text in table { writer.write(text) }
        writer.write(deltas: indexes)
    }

    private static func table(
        of rows: Int, from reader: inout BlockReader
    ) throws(DamagedBlock) -> [String] {
        let count = try reader.count(upTo: min(rows, reader.rest))
        var table: [String] = []
        for _ in 0..<count { table.append(try reader.text()) }
        let indexes = try reader.deltas(rows)
        guard indexes.allSatisfy(table.indices.contains) else { throw DamagedBlock() }
        return indexes.map { table[$0] }
    }
}
