/// Runs `body` with a mosquitto that speaks TLS with the good certificate.
package func withTLSBroker<Value>(
    _ certificates: TestCertificates, _ lines: String...,
    body: (MosquittoBroker) async throws -> Value
) async throws -> Value {
    let tls = [
        "certfile \(certificates["good"])", "keyfile \(certificates.key)",
        "cafile \(certificates.authority)",
    ]
    return try await withBroker((tls + lines).joined(separator: "\n"), body: body)
}
