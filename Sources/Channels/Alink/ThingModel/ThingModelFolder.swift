package import DeviceDomain
internal import DeviceMessages
internal import YAMLText

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A folder with thing models: `PRODUCTKEY.json` for each product, as the console exports it, and if wanted
/// `kinds.json`, an object that names the kind of some products: `{"a1B2c3D4e5F": "sweeping-robot"}`.
package struct ThingModelFolder: Sendable {
    /// Files of a folder at most.
    private static let most = 1000
    private static let kindsFile = "kinds.json"

    /// The products by their keys.
    package let products: [ProductKey: ThingProduct]
    /// The kinds that `kinds.json` names.
    package let kinds: [ProductKey: DeviceKind]

    /// Reads a folder. Blocks on the file system.
    /// - Throws: ``ThingModelError`` with the file that cannot be used.
    package init(path: String) throws(ThingModelError) {
        let names = try Self.names(in: path)
        kinds =
            names.contains(Self.kindsFile) ? try Self.kinds(at: "\(path)/\(Self.kindsFile)") : [:]
        var products: [ProductKey: ThingProduct] = [:]
        for name in names where name != Self.kindsFile {
            guard let key = ProductKey(name.dropLast(".json".count)) else {
                throw ThingModelError(
                    "\(path)/\(name): a model's file is named after its product, as a1B2c3D4e5F.json"
                )
            }
            let file = "\(path)/\(name)"
            do {
                let model = try ThingModel(try Self.text(at: file))
                products[key] = ThingProduct(key, model, kind: kinds[key] ?? .alinkDevice)
            } catch {
                throw ThingModelError(
                    error.message.hasPrefix(file) ? error.message : "\(file): \(error.message)")
            }
        }
        self.products = products
    }

    private static func names(in path: String) throws(ThingModelError) -> [String] {
        guard let folder = opendir(path) else {
            throw ThingModelError("\(path): \(String(cString: strerror(errno)))")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
        }
        guard names.count <= most else {
            throw ThingModelError("\(path): more than \(most) models")
        }
        return names.sorted()
    }

    private static func kinds(at file: String) throws(ThingModelError) -> [ProductKey: DeviceKind] {
        let members: JSONObject?
        do {
            members = try JSONReader.read(try text(at: file)).object
        } catch let error as ThingModelError {
            throw error
        } catch {
            throw ThingModelError("\(file): \(error)")
        }
        guard let members else {
            throw ThingModelError("\(file): must be an object with the kinds of products")
        }
        var kinds: [ProductKey: DeviceKind] = [:]
        for (key, kind) in members {
            guard let key = ProductKey(key), let kind = kind.string, !kind.isEmpty else {
                throw ThingModelError(
                    "\(file): \(key.brief) must name a kind, such as sweeping-robot")
            }
            kinds[key] = DeviceKind(rawValue: kind)
        }
        return kinds
    }

    private static func text(at file: String) throws(ThingModelError) -> [UInt8] {
        do {
            return Array(try TextFile(path: file, for: "thing model").text().utf8)
        } catch {
            throw ThingModelError("\(error)")
        }
    }
}
