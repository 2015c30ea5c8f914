internal import Alink
internal import AlinkAdapter
internal import Connectivity
internal import YAMLText

extension ChannelDialect {
    static let alink = broker(.alink, members: ["models"]) { line throws(YAMLProblem) in
        let folder = try line.node.required("models", of: line.members)
        let path = try folder.file()
        let models: ThingModelFolder
        do throws(ThingModelError) {
            models = try ThingModelFolder(path: path)
        } catch {
            throw folder.error(error.message)
        }
        let id = line.id
        return { .alink(id: id, $0, models: models, path: path) }
    }
}
