import Markup
import Testing

@testable import Dashboard

@MainActor
struct PartCacheTests {
    private struct Value: Hashable, Identifiable {
        let id: Int
        var text = "as it was"
    }

    private final class Maker {
        var made: [Int] = []

        func part(_ value: Value) -> LivePart {
            made.append(value.id)
            return LivePart("value-\(value.id)") { HTML(value.text) }
        }
    }

    @Test func onlyWhatHasChangedIsMadeAgain() {
        let (cache, maker) = (PartCache<Value>(), Maker())
        _ = cache.parts(of: [Value(id: 1), Value(id: 2)], make: maker.part)
        let parts = cache.parts(of: [Value(id: 2, text: "new"), Value(id: 1)], make: maker.part)
        #expect(maker.made == [1, 2, 2])
        #expect(parts.map(\.id) == ["value-2", "value-1"])
        #expect(parts.map(\.content.markup) == ["new", "as it was"])
    }

    @Test func whatIsGoneIsForgotten() {
        let (cache, maker) = (PartCache<Value>(), Maker())
        for values in [[Value(id: 1)], [], [Value(id: 1)]] {
            _ = cache.parts(of: values, make: maker.part)
        }
        #expect(maker.made == [1, 1])
    }
}
