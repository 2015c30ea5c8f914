import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// Handshakes that end within the call that begins them, because the peer is the faster of the two. The
/// peer has nothing to send after that, so nothing but CONNECT itself can get things going.
@Suite(.timeLimit(.minutes(2)))
struct TLSPromptPeerTests {
    @Test(arguments: [["-tls1_2"], ["-tls1_3", "-num_tickets", "0"]])
    func connectFollowsAHandshakeThatEndsAtOnce(options: [String]) async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: "good", options: options) { peer in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                let configuration = try MQTTConfiguration.tls(peer.port, certificates)
                try await owner.waitForAnswers(configuration)
                await owner.connect(configuration)
                #expect(await peer.waits(for: connectMark))
                await owner.drop()
            }
        }
    }

    @Test func mosquittoIsSpokenToAfterAHandshakeOfTLS12ThatEndsAtOnce() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                let configuration = try MQTTConfiguration.tls(broker.port, certificates)
                try await owner.waitForAnswers(configuration, newestVersion: tls12)
                await owner.connect(configuration)
                _ = try await events.connected()
                await owner.close()
            }
        }
    }
}

extension TestOwner {
    /// Has the handshakes of this configuration wait for every answer of the peer, as if the peer had
    /// come first, and never return to the loop in between.
    fileprivate func waitForAnswers(
        _ configuration: MQTTConfiguration, newestVersion: Int? = nil
    ) throws {
        let tls = try #require(configuration.security.tls)
        let identity = tls.identity(for: configuration.broker.host)
        let context = try TLSContext(identity)
        let setCallback = try #require(
            openSSL("SSL_CTX_set_info_callback", as: SetInfoCallback.self))
        setCallback(context.pointer, awaitAnswer)
        if let newestVersion {
            let control = try #require(openSSL("SSL_CTX_ctrl", as: Control.self))
            #expect(control(context.pointer, setNewestVersion, newestVersion, nil) == 1)
        }
        _ = loop.core.tlsContexts.finish(identity, context)
    }
}

// The room of the client alone knows OpenSSL's header; what is needed here is found by name.

private typealias InfoCallback = @convention(c) (OpaquePointer?, Int32, Int32) -> Void
private typealias SetInfoCallback = @convention(c) (OpaquePointer, InfoCallback) -> Void
private typealias Control =
    @convention(c) (OpaquePointer, Int32, Int, UnsafeMutableRawPointer?) -> Int
private typealias Number = @convention(c) (OpaquePointer) -> Int32
private typealias Text = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>

/// `TLS1_2_VERSION`.
private let tls12 = 0x0303
/// `SSL_CTRL_SET_MAX_PROTO_VERSION`.
private let setNewestVersion: Int32 = 124

private func openSSL<Function>(_ name: String, as _: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
}

/// Called at every step of a handshake: after the client's messages to which the peer has an answer,
/// waits until it is there.
private func awaitAnswer(session: OpaquePointer?, _: Int32, _: Int32) {
    guard let session, let state = openSSL("SSL_state_string", as: Text.self),
        let version = openSSL("SSL_version", as: Number.self),
        let descriptor = openSSL("SSL_get_fd", as: Number.self)
    else { return }
    switch String(cString: state(session)) {
    case "TWCH": break
    case "TWFIN" where version(session) == tls12: break
    default: return
    }
    var socket = pollfd(fd: descriptor(session), events: Int16(POLLIN), revents: 0)
    poll(&socket, 1, 10_000)
}
