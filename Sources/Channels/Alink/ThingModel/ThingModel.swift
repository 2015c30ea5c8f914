package import DeviceDomain

/// What the devices of one product can report and do: Alibaba's thing model (TSL).
package struct ThingModel: Hashable, Sendable {
    /// The properties in the order of the model.
    package internal(set) var properties: [ThingProperty] = []
    /// The services, without the platform's own, which set and get properties.
    package internal(set) var services: [ThingService] = []
    /// The events, without the platform's own, which post properties.
    package internal(set) var events: [ThingEvent] = []
    /// What of the model cannot be used, and why.
    package internal(set) var omissions: [String] = []

    /// A model without anything.
    package init() {}

    /// The property of an identifier.
    package func property(_ identifier: String) -> ThingProperty? {
        properties.first { $0.identifier == identifier }
    }

    /// The service of an identifier.
    package func service(_ identifier: String) -> ThingService? {
        services.first { $0.identifier == identifier }
    }

    /// The event of an identifier.
    package func event(_ identifier: String) -> ThingEvent? {
        events.first { $0.identifier == identifier }
    }
}

/// A value that devices report, and some of which can be set.
package struct ThingProperty: Hashable, Sendable {
    /// Its name on the wire; of another block than the standard one `BLOCK:NAME`.
    package let identifier: String
    /// Its name for people.
    package let name: String
    /// Its type.
    package let type: ThingType
    /// Whether devices report it.
    package let isReadable: Bool
    /// Whether it can be set.
    package let isSettable: Bool
}

/// Something that devices do when they are called.
package struct ThingService: Hashable, Sendable {
    /// Its name on the wire; of another block than the standard one `BLOCK:NAME`.
    package let identifier: String
    /// Its name for people.
    package let name: String
    /// Whether the caller waits for the device's answer.
    package let isSynchronous: Bool
    /// Its arguments.
    package let inputs: [ThingField]
    /// What it answers.
    package let outputs: [ThingField]
}

/// Something that devices report when it happens.
package struct ThingEvent: Hashable, Sendable {
    /// How serious an event is.
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        case info, alert, error
    }

    /// Its name on the wire; of another block than the standard one `BLOCK:NAME`.
    package let identifier: String
    /// Its name for people.
    package let name: String
    /// How serious it is.
    package let severity: Severity
    /// Its details.
    package let outputs: [ThingField]

    /// Its name in Homeport: the identifier in kebab case; `nil` where that has no letter at its start.
    package var eventName: EventName? { EventName(rawValue: identifier.kebabCase) }

    /// Its details as Homeport has them; those that cannot be read are left out.
    package func detail(_ wire: JSONObject) -> JSONObject {
        outputs.reduce(into: [:]) { read, field in
            read[field.identifier] = wire[field.identifier].flatMap(field.type.value(ofWire:))
        }
    }
}

/// A thing model cannot be used.
package struct ThingModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and where.
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}
