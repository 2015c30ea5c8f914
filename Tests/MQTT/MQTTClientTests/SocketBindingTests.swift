import Testing

@testable import MQTTClient

/// What is known of a socket, with a handle that has none.
@Suite struct SocketBindingTests {
    private let handle: MosquittoHandle
    private var socket = SocketBinding()

    init() throws {
        let configuration = try MQTTConfiguration.test(1)
        handle = try MosquittoHandle(
            configuration: configuration, clientID: configuration.clientID, cleanStart: true,
            tls: nil, buffers: SharedLibraryBuffers())
    }

    @Test mutating func nothingIsKnownWithoutASocket() {
        #expect(socket.handle == nil && socket.token == 0 && socket.cause == nil)
        let isPaused = socket.pause()
        let isResumed = socket.resume()
        let isScheduled = socket.scheduleFlush()
        #expect(!isPaused && !isResumed && !isScheduled)
        #expect(socket.takeFlush() == .none)
        #expect(socket.interest(awaitingWritability: true) == nil)
        #expect(socket.close() == nil)
    }

    /// The error of the connect timeout says how far the attempt came.
    @Test mutating func theStagesFollowEachOther() {
        #expect(socket.missing.contains("address was not found"))
        open()
        #expect(socket.awaitsConfirmation)
        #expect(socket.missing.contains("no TCP connection"))
        socket.established()
        #expect(socket.awaitsConfirmation)
        #expect(socket.missing.contains("no CONNACK"))
        socket.confirmed()
        #expect(!socket.awaitsConfirmation)
        socket.established()
        #expect(!socket.awaitsConfirmation)
    }

    /// CONNACK must be read before.
    @Test mutating func onlyAConfirmedSocketCanBePaused() {
        open()
        let early = socket.pause()
        socket.confirmed()
        let paused = socket.pause()
        let again = socket.pause()
        #expect(!early && paused && !again && !socket.isReading)
        let resumed = socket.resume()
        #expect(resumed && socket.isReading)
    }

    @Test mutating func aChangeOfInterestIsReportedOnce() {
        open()
        #expect(socket.interest(awaitingWritability: false) == nil)
        let both = socket.interest(awaitingWritability: true)
        #expect(both?.descriptor == 5 && both?.interest == [.read, .write])
        #expect(socket.interest(awaitingWritability: true) == nil)
        socket.confirmed()
        _ = socket.pause()
        #expect(socket.interest(awaitingWritability: false)?.interest == [])
        #expect(socket.interest == [])
    }

    @Test mutating func aPausedSocketIsReadOnlyWhenItBreaks() {
        open()
        socket.confirmed()
        let readable = readiness(isReadable: true)
        let writable = readiness(isWritable: true)
        #expect(socket.reads(after: readable, readsWhenWritable: false))
        #expect(!socket.reads(after: writable, readsWhenWritable: false))
        #expect(socket.reads(after: writable, readsWhenWritable: true))
        _ = socket.pause()
        #expect(!socket.reads(after: readable, readsWhenWritable: true))
        #expect(!socket.reads(after: writable, readsWhenWritable: true))
        #expect(socket.reads(after: readiness(isBroken: true), readsWhenWritable: false))
    }

    /// Data that was read is acknowledged by a flush that was asked for before, too.
    @Test mutating func aFlushIsScheduledOnceInARound() {
        open()
        let first = socket.scheduleFlush()
        let second = socket.scheduleFlush(afterReading: true)
        let third = socket.scheduleFlush()
        #expect(first && !second && !third)
        #expect(socket.takeFlush() == .scheduledAfterReading)
        #expect(socket.takeFlush() == .none)
        let next = socket.scheduleFlush()
        #expect(next)
        #expect(socket.takeFlush() == .scheduled)
    }

    @Test mutating func theReasonStaysUntilTheSocketIsClosed() {
        open()
        socket.ended(because: MQTTError(.serverDisconnected, "bye"))
        socket.ended(because: MQTTError(.connectionLost, "gone"))
        #expect(socket.cause?.message == "bye", "the first reason stays")
        let isPaused = socket.pause()
        #expect(!isPaused && !socket.awaitsConfirmation)
        #expect(socket.close() == nil)
        #expect(socket.cause == nil && socket.handle == nil && socket.token == 0)
    }

    @Test mutating func aLingeringSocketIsTheOnlyOne() {
        open()
        let duplicate = LingeringSocket(duplicating: -1)
        socket.linger(on: duplicate, token: 8)
        #expect(socket.handle == nil && socket.token == 8 && socket.lingering == duplicate)
        let isScheduled = socket.scheduleFlush()
        #expect(!isScheduled)
        #expect(socket.close() == duplicate)
        #expect(socket.close() == nil)
    }

    private mutating func open() {
        socket.open(handle, descriptor: 5, token: 7, interest: .read)
        #expect(socket.handle === handle && socket.token == 7)
    }

    private func readiness(
        isReadable: Bool = false, isWritable: Bool = false, isBroken: Bool = false
    ) -> Poller.Readiness {
        .init(token: 7, isReadable: isReadable, isWritable: isWritable, isBroken: isBroken)
    }
}
