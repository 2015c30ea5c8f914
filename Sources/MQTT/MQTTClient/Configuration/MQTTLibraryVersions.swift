/// The versions of the C libraries that are loaded, for a diagnosis.
package enum MQTTLibraryVersions {
    /// The version of libmosquitto, such as `2.0.11`.
    package static var mosquitto: String { MosquittoHandle.libraryVersion }
    /// Name, version and date of OpenSSL.
    package static var openSSL: String { TLSContext.libraryVersion }
}
