import Foundation
import TestSupport
import Testing

@testable import MQTTClient

/// Room for descriptors before they are needed.
struct DescriptorReserveTests {
    @Test func roomIsAskedForWhenHalfOfItIsTaken() {
        var reserve = DescriptorReserve()
        let asked = (Int32(3)...20_000).compactMap { descriptor in
            reserve.opened(descriptor).map { Request(at: descriptor, room: $0) }
        }
        #expect(
            asked == [
                Request(at: 32, room: 1_024), Request(at: 512, room: 16_384),
                Request(at: 8_192, room: 262_144),
            ])
    }

    /// Others of the process may have opened many.
    @Test func aHighDescriptorAsksOnceForAll() {
        var reserve = DescriptorReserve()
        let room = reserve.opened(1_000)
        #expect(room == 16_384)
        let again = reserve.opened(1_001)
        #expect(again == nil)
    }

    @Test func theSystemMakesRoom() async throws {
        await #expect(processExitsWith: .success) {
            let before = try Self.room()
            DescriptorReserve.makeRoom(for: 4 * before)
            #expect(try Self.room() >= 4 * before)
            // More than it may have is as much as it may have.
            DescriptorReserve.makeRoom(for: .max)
            #expect(try Self.room() >= 4 * before)
        }
    }

    private struct Request: Equatable {
        var descriptor: Int32
        var room: Int

        init(at descriptor: Int32, room: Int) {
            self.descriptor = descriptor
            self.room = room
        }
    }

    /// How many descriptors the table of this process holds.
    private static func room() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("FDSize:") }
        guard let size = line?.split(separator: "\t").last.flatMap({ Int($0) }) else {
            throw TestSupportError("no FDSize")
        }
        return size
    }
}
