import DeviceDomain
import History
import TestSupport
import Testing

/// The bytes in which samples and means are stored.
@Suite struct BlockTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func samplesComeBackExactly(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let samples = generator.samples(Int.random(in: 0...300, using: &generator))
        #expect(try SampleBlock.samples(in: SampleBlock.bytes(of: samples)) == samples)
    }

    @Test func extremesComeBackExactly() throws {
        let numbers: [Double] = [
            0, -0.1, 0.1 + 0.2, 1e-9, 1e-10, .pi, 9_007_199_254_740_991, -9_007_199_254_740_994,
            .greatestFiniteMagnitude, .leastNonzeroMagnitude, 123_456_789.123,
        ]
        for number in numbers {
            let sample = RecordedSample(
                at: Timestamp(milliseconds: .max), values: ["": .number(number)], n: .max)
            let other = RecordedSample(at: Timestamp(milliseconds: .min), values: [:])
            for samples in [[sample], [other, sample], [sample, other]] {
                #expect(try SampleBlock.samples(in: SampleBlock.bytes(of: samples)) == samples)
            }
        }
    }

    /// Neither a trap nor more memory than the limits allow.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func damagedBytesAreRefusedOrAreOtherSamples(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let samples = generator.samples(60)
        let bytes = SampleBlock.bytes(of: samples)
        var means = MeanBlock()
        means.add(samples, length: 300_000)
        var refused = 0
        for _ in 0..<400 {
            let spoiled = generator.spoiled(bytes)
            if let found = try? SampleBlock.samples(in: spoiled) {
                #expect(try SampleBlock.samples(in: SampleBlock.bytes(of: found)) == found)
            } else {
                refused += 1
            }
            _ = try? MeanBlock(generator.spoiled(means.bytes))
            let random = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? SampleBlock.samples(in: [1] + random)
            _ = try? MeanBlock([1] + random)
        }
        #expect(refused > 100)
        #expect(throws: DamagedBlock.self) { try SampleBlock.samples(in: Array(bytes.dropLast())) }
        #expect(throws: DamagedBlock.self) { try SampleBlock.samples(in: bytes + [0]) }
        #expect(throws: DamagedBlock.self) { try SampleBlock.samples(in: []) }
    }

    /// A device that sends 15 signals with few decimals every five seconds.
    @Test func anHourOfSamplesIsSmall() {
        var generator = SeededGenerator(seed: 7)
        var level = 50.0
        let samples = (0..<720).map { index in
            level += Double.random(in: -0.05...0.05, using: &generator)
            var values: JSONObject = ["level": .number((level * 10).rounded() / 10)]
            for signal in 0..<7 { values["steady-\(signal)"] = .number(Double(signal) + 0.5) }
            for signal in 0..<7 {
                let watts = Double.random(in: 480...520, using: &generator)
                values["power-\(signal)"] = .number((watts * 10).rounded() / 10)
            }
            return RecordedSample(
                at: Timestamp(milliseconds: 1_764_000_000_000 + index * 5_000), values: values,
                boot: .literal("b1"), n: index + 1)
        }
        // Seven noisy signals of two bytes each; the rest is next to nothing.
        #expect(SampleBlock.bytes(of: samples).count < 720 * 16)
    }

    // MARK: Means

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func meansAreThoseOfTheNumbersInWhateverOrderTheyCome(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let samples = generator.samples(500)
        var block = MeanBlock()
        var rest = samples.shuffled(using: &generator)[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...60, using: &generator))
            rest = rest.dropFirst(part.count)
            block.add(part, length: 300_000)
            block = try MeanBlock(block.bytes)
        }
        let found = block.samples(length: 300_000) { _ in true }
        let naive = NaiveMeans(of: samples, length: 300_000)
        #expect(found.map(\.at.milliseconds) == naive.starts)
        for sample in found {
            for (name, mean) in naive.means[sample.at.milliseconds] ?? [:] {
                let value = try #require(sample.values[name]?.number)
                // Watts have one decimal, and their means three more; each part rounds once.
                let tolerance = name == "power-w" ? 0.0005 * 10 : max(1e-9, mean.magnitude * 1e-9)
                #expect((value - mean).magnitude <= tolerance, "\(name): \(value), \(mean)")
            }
            #expect(sample.values.count == naive.means[sample.at.milliseconds]?.count)
        }
    }

    @Test func meansOfMeansAreWeighted() {
        var hour = MeanBlock()
        var minutes = MeanBlock()
        // One sample in the first five minutes, three in the second.
        let samples = [10, 20, 20, 20].enumerated().map { index, value in
            RecordedSample(
                at: Timestamp(milliseconds: index == 0 ? 0 : 300_000 + index),
                values: ["x": .number(Double(value))])
        }
        minutes.add(samples, length: 300_000)
        hour.add(minutes, length: 300_000, ownLength: 3_600_000) { _ in true }
        #expect(hour.samples(length: 3_600_000) { _ in true }.map(\.values) == [["x": 17.5]])
    }

    @Test func timesBeforeTheEpochHavePeriodsToo() {
        #expect((-1).period(of: 10) == -1)
        #expect((-10).period(of: 10) == -1)
        #expect(Int.min.period(of: 10) < 0)
    }
}

/// Means as a child would compute them.
struct NaiveMeans {
    let means: [Int: [String: Double]]
    var starts: [Int] { means.keys.sorted() }

    init(of samples: [RecordedSample], length: Int) {
        var values: [Int: [String: [Double]]] = [:]
        for sample in samples {
            var start = sample.at.milliseconds - sample.at.milliseconds % length
            if start > sample.at.milliseconds { start -= length }
            for (name, value) in sample.values {
                guard case .number(let number) = value else { continue }
                values[start, default: [:]][name, default: []].append(number)
            }
        }
        means = values.mapValues { signals in
            signals.mapValues { numbers in
                numbers.reduce(0) { $0 + $1 / Double(numbers.count) }
            }
        }
    }
}
