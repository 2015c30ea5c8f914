package import DeviceDomain
import DeviceMessages
import FoundationEssentials
package import MQTTClient

/// The first line of a cassette.
package struct CassetteHead: Hashable, Sendable {
    /// When the recording began (wall clock).
    package let startedAt: Timestamp

    package init(startedAt: Timestamp) { self.startedAt = startedAt }

    /// The line without its end.
    package var bytes: [UInt8] {
        var json = JSONWriter()
        json.writeObject { json in
            json.writeName("v")
            json.write(1)
            json.writeName("startedAt")
            json.write(startedAt.milliseconds)
        }
        return json.bytes
    }

    /// Reads the line.
    /// - Throws: ``FleetError`` for another one.
    package init(line: [UInt8]) throws(FleetError) {
        let members = try? JSONReader.read(line, limits: CassetteEntry.limits).object
        guard let members, members["v"] == 1, let start = members["startedAt"]?.integer else {
            throw FleetError(
                .unusableFile, #"this is no cassette: its first line is not {"v":1,"startedAt":…}"#)
        }
        startedAt = Timestamp(milliseconds: start)
    }
}

/// A message on a cassette: a line `{"t","topic","qos","retain","payload"}`, or with `payload64` where the payload is not
/// UTF-8.
package struct CassetteEntry: Sendable, Equatable {
    /// How large a line may be: a packet of MQTT that our client takes has 1 MiB, and an escaped byte six characters.
    static let limits = JSONLimits(bytes: 16 << 20, depth: 4)

    /// When it came, ms since the start.
    package let offset: Int
    /// The message without its properties.
    package let message: MQTTMessage

    package init(offset: Int, message: MQTTMessage) {
        self.offset = offset
        self.message = message
    }

    /// The line without its end.
    package var bytes: [UInt8] {
        var json = JSONWriter(reserving: message.payload.count + 128)
        json.writeObject { json in
            json.writeName("t")
            json.write(offset)
            json.writeName("topic")
            json.write(message.topic.rawValue)
            json.writeName("qos")
            json.write(Int(message.qos.rawValue))
            json.writeName("retain")
            json.write(message.retain)
            if let text = String(validating: message.payload, as: UTF8.self) {
                json.writeName("payload")
                json.write(text)
            } else {
                json.writeName("payload64")
                json.write(Data(message.payload).base64EncodedString())
            }
        }
        return json.bytes
    }

    /// Reads a line.
    /// - Throws: ``FleetError`` that says what is wrong with it.
    package init(line: [UInt8]) throws(FleetError) {
        let members: JSONObject
        do throws(PayloadError) {
            members = try JSONReader.read(line, limits: Self.limits).object ?? [:]
        } catch { throw FleetError(.unusableFile, "\(error)") }
        guard let offset = members["t"]?.integer, offset >= 0 else {
            throw FleetError(.unusableFile, "t is no number of milliseconds")
        }
        guard let qos = members["qos"]?.integer.flatMap(UInt8.init(exactly:)).flatMap(MQTTQoS.init)
        else { throw FleetError(.unusableFile, "qos is not 0, 1 or 2") }
        guard let retain = members["retain"]?.boolean else {
            throw FleetError(.unusableFile, "retain is not true or false")
        }
        let payload = try Self.payload(members)
        do throws(MQTTError) {
            let topic = try MQTTTopic(members["topic"]?.string ?? "")
            self.init(
                offset: offset,
                message: MQTTMessage(topic: topic, payload: payload, qos: qos, retain: retain))
        } catch { throw FleetError(.unusableFile, error.message) }
    }

    private static func payload(_ members: JSONObject) throws(FleetError) -> [UInt8] {
        if let text = members["payload"]?.string { return Array(text.utf8) }
        guard let text = members["payload64"]?.string else {
            throw FleetError(.unusableFile, "there is neither payload nor payload64")
        }
        guard let payload = Data(base64Encoded: text) else {
            throw FleetError(.unusableFile, "payload64 is not base64")
        }
        return Array(payload)
    }
}
