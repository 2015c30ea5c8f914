internal import Connectivity
internal import MatterAdapter
internal import YAMLText

extension ChannelDialect {
    static let matter = ChannelDialect(.matter, members: ["url", "ca-file"]) {
        line throws(YAMLProblem) in
        let server = try line.node.required("url", of: line.members).value {
            text throws(MatterServerAddress.Invalid) in try MatterServerAddress(text)
        }
        if let file = line.members["ca-file"], !server.usesTLS {
            throw file.error("ca-file needs TLS, but the server is \(server): use wss://")
        }
        let authorityFile = try line.members["ca-file"]?.authorities()
        return .other(connectTimeout: try line.connectTimeout()) { [id = line.id] timeout in
            .matter(id: id, server, authorityFile: authorityFile, connectTimeout: timeout)
        }
    }
}
