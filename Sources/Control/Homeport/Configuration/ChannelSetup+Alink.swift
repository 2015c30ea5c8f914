internal import Alink
internal import AlinkAdapter
internal import Connectivity
public import DeviceDomain
internal import MQTTLink

extension ChannelSetup {
    /// Devices with Alink firmware on an MQTT broker with the project's plugin.
    ///
    /// A folder that cannot be used is an error of ``Home/init(_:)``.
    /// - Parameters:
    ///   - id: names the channel.
    ///   - connection: how its broker is reached.
    ///   - models: a folder with the thing model of each product, `PRODUCTKEY.json`.
    public static func alink(
        id: ChannelID, _ connection: BrokerConnection, models: String
    ) -> ChannelSetup {
        ChannelSetup(id: id, kind: .alink, connection) { context throws(HomeError) in
            do throws(ThingModelError) {
                return channel(id, connection, try ThingModelFolder(path: models), context)
            } catch {
                throw HomeError(.configuration, "the channel \(id): \(error.message)")
            }
        }
    }

    /// The same with models that were read.
    /// - Parameter path: the folder, for messages.
    static func alink(
        id: ChannelID, _ connection: BrokerConnection, models: ThingModelFolder, path: String
    ) -> ChannelSetup {
        ChannelSetup(
            id: id, kind: .alink, connection,
            diagnose: { context in
                await [models.finding(at: path, for: id)]
                    + AlinkCheck(address: "\(connection.latestBroker)").findings(
                        over: channel(id, connection, models, context))
            },
            make: { channel(id, connection, models, $0) })
    }

    private static func channel(
        _ id: ChannelID, _ connection: BrokerConnection, _ models: ThingModelFolder,
        _ context: ChannelContext
    ) -> AlinkChannel {
        AlinkChannel(
            AlinkChannelConfiguration(
                id: id, home: context.home, link: connection.link(as: context.controller),
                models: models),
            on: context.eventLoop, logger: context.logger)
    }
}

extension ThingModelFolder {
    /// What a diagnosis says of the folder of a channel.
    fileprivate func finding(at path: String, for channel: ChannelID) -> Finding {
        let omissions = products.values.flatMap { product in
            (product.model.omissions + product.commands.omissions).map { "\(product.key): \($0)" }
        }
        if products.isEmpty {
            return .problem(
                .models, "the folder \(path) of the channel \(channel) has no thing models",
                remedy: "put the model of each product into it as PRODUCTKEY.json")
        }
        if let first = omissions.sorted().first {
            return .warning(
                .models,
                "\(omissions.count) entries of the thing models in \(path) cannot be used: \(first)",
                remedy: "correct them, or do without these entries")
        }
        return .ok(.models, "\(products.count) thing models in \(path)")
    }
}
