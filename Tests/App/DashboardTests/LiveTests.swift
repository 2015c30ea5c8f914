import Markup
import Observation
import Testing

@testable import Dashboard

@Suite struct LiveTests {
    private func content(_ texts: [String: String], shape: String = "") -> LiveContent {
        LiveContent(
            parts: texts.sorted { $0.key < $1.key }.map { key, text in LivePart(key) { text } },
            shape: shape)
    }

    @Test func aBrowserGetsWhatChangedAndNothingElse() {
        let first = content(["a": "1", "b": "<2>"])
        var browser = BrowserContent(mark: first.mark)
        #expect(browser.update(to: first) == nil)
        let second = content(["a": "1", "b": "3\n"])
        #expect(
            browser.update(to: second)
                == "id: \(second.mark)\nevent: parts\ndata: {\"b\":\"3\\n\"}\n\n")
        #expect(browser.update(to: second) == nil)
    }

    @Test func aBrowserThatComesBackGetsEverythingItMayHaveMissed() {
        let former = content(["a": "1", "b": "2"])
        let now = content(["a": "5", "b": "2"])
        var browser = BrowserContent(mark: former.mark)
        #expect(browser.update(to: now)?.contains("{\"a\":\"5\",\"b\":\"2\"}") == true)
    }

    @Test func anotherShapeIsReadAgain() {
        let reload = "event: reload\ndata: page\n\n"
        let former = content(["a": "1"])
        var browser = BrowserContent(mark: former.mark)
        #expect(browser.update(to: content(["a": "1", "b": "2"])) == reload)
        #expect(browser.update(to: content(["a": "1", "b": "2"], shape: "x")) == reload)
        var stranger = BrowserContent(mark: "from another run")
        #expect(stranger.update(to: former) == reload)
    }

    /// A model whose text a page shows.
    @MainActor @Observable
    final class Model {
        var text = "1"
        var renderings = 0
    }

    @Test @MainActor
    func aPageIsRenderedOncePerChangeForAllBrowsers() async {
        let model = Model()
        var renderings = 0
        let page = LivePage {
            renderings += 1
            return LiveContent(parts: [LivePart("a") { model.text }])
        }
        let watchers = [page.watch(), page.watch()]
        var readers = watchers.map { $0.changes.makeAsyncIterator() }
        for index in readers.indices { await readers[index].next(isolation: MainActor.shared) }
        _ = (page.current(), page.current())
        #expect(renderings == 1)
        for _ in 0..<100 { model.text += "x" }
        for index in readers.indices {
            // A hundred changes are one.
            await readers[index].next(isolation: MainActor.shared)
            #expect(page.current().parts[0].content.markup == model.text)
        }
        #expect(renderings == 2)
        watchers.forEach(page.leave)
        #expect(!page.isWatched)
        #expect(await readers[0].next(isolation: MainActor.shared) == nil)
    }
}
