import Connectivity
import Testing

@Suite struct BoundedStreamTests {
    @Test func droppingTheOldestKeepsTheNewestAndCounts() async {
        let (stream, source) = BoundedStream<Int>.make(.dropOldest(limit: 2))
        for number in 1...5 { source.send(number) }
        source.finish()
        #expect(await collect(stream) == [4, 5])
        #expect(stream.droppedCount == 3)
        #expect(source.droppedCount == 3)
    }

    @Test func droppingTheNewestKeepsTheOldestAndCounts() async {
        let (stream, source) = BoundedStream<Int>.make(.dropNewest(limit: 2))
        for number in 1...5 { source.send(number) }
        source.finish()
        #expect(await collect(stream) == [1, 2])
        #expect(stream.droppedCount == 3)
    }

    @Test func theSourceLearnsThatTheConsumerIsGone() async {
        await confirmation("termination is told once") { terminated in
            let (stream, source) = BoundedStream<Int>.make(.dropOldest(limit: 2)) { terminated() }
            source.send(1)
            source.finish()
            #expect(await collect(stream) == [1])
            #expect(!source.send(2))
        }
    }

    private func collect(_ stream: BoundedStream<Int>) async -> [Int] {
        var numbers: [Int] = []
        for await number in stream { numbers.append(number) }
        return numbers
    }
}
