import Homeport
import Testing

@testable import HomeportCLI

/// What `watch` and `serve` say of their links.
@Suite struct LinkLogTests {
    private let error = CommunicationError(
        .credentialsRefused, "the broker refused the credentials")

    @Test func onlyALinkThatIsTriedAgainIsSaidToBe() {
        var log = LinkLog()
        #expect(log.remark(on: .connected, at: "house") == nil)
        #expect(
            log.remark(on: .lost(error, retryIn: nil), at: "house")
                == "house: the broker refused the credentials")
        var other = LinkLog()
        #expect(
            other.remark(on: .lost(error, retryIn: .seconds(1)), at: "house")
                == "house: the broker refused the credentials; trying again until interrupted")
        #expect(other.remark(on: .lost(error, retryIn: .seconds(2)), at: "house") == nil)
        #expect(other.remark(on: .connected, at: "house") == "house: connected again")
        // The home opens a channel again that has given up.
        let away = CommunicationError(.unreachable, "no answer")
        #expect(
            other.remark(on: .lost(away, retryIn: nil), at: "house")
                == "house: no answer; trying again until interrupted")
    }
}
