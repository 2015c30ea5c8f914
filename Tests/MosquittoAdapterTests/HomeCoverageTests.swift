import Connectivity
import DeviceDomain
import Testing

@testable import MosquittoAdapter

@Suite struct HomeCoverageTests {
    private let first = SurveyScope.device(device("a"))
    private let second = SurveyScope.device(device("b"))

    @Test func oneDeviceIsSubscribedToAlone() {
        var coverage = HomeCoverage()
        #expect(coverage.want(first, isConnected: true) == .subscribe(first))
        #expect(coverage.want(first, isConnected: true) == .wait)
        #expect(coverage.granted(first) == nil)
        #expect(coverage.want(first, isConnected: true) == .nothing)
    }

    @Test func aSecondDeviceMakesItTheWholeHome() {
        var coverage = HomeCoverage()
        _ = coverage.want(first, isConnected: true)
        _ = coverage.granted(first)
        #expect(coverage.want(second, isConnected: true) == .subscribe(.everyDevice))
        #expect(coverage.want(first, isConnected: true) == .wait)
        #expect(coverage.granted(.everyDevice) == device("a"))
        #expect(coverage.want(second, isConnected: true) == .nothing)
    }

    @Test func aLateGrantOfOneDeviceDoesNotNarrowTheHome() {
        var coverage = HomeCoverage()
        _ = coverage.want(first, isConnected: true)
        _ = coverage.want(second, isConnected: true)
        _ = coverage.granted(.everyDevice)
        #expect(coverage.granted(first) == nil)
        #expect(coverage.granted == .everyDevice)
        #expect(coverage.requested == nil)
    }

    @Test func wishesOutliveTheConnection() {
        var coverage = HomeCoverage()
        #expect(coverage.connected() == nil)
        _ = coverage.want(first, isConnected: true)
        _ = coverage.granted(first)
        coverage.disconnected()
        #expect(coverage.want(first, isConnected: false) == .wait)
        #expect(coverage.connected() == first)
        #expect(coverage.want(first, isConnected: true) == .wait)
    }

    @Test func aRefusedWishIsDropped() {
        var coverage = HomeCoverage()
        _ = coverage.want(first, isConnected: true)
        coverage.refused(first)
        #expect(coverage.wanted == nil)
        #expect(coverage.want(first, isConnected: true) == .subscribe(first))
        _ = coverage.granted(first)
        _ = coverage.want(.everyDevice, isConnected: true)
        coverage.refused(.everyDevice)
        #expect(coverage.wanted == first)
    }
}
