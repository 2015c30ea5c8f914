import Foundation

// So much of SwiftUI, which Linux does not have, that the compiler checks the views of `docs/ios.md`:
// what they use of the view models exists and has the types that they need. Nothing is drawn.

@MainActor protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

/// A view that consists of no others.
struct Drawn: View {
    var body: Drawn { self }
}

protocol PlainView: View where Body == Drawn {}

extension PlainView {
    var body: Drawn { Drawn() }
}

@MainActor @resultBuilder enum ViewBuilder {
    static func buildExpression(_ view: some View) -> Drawn { Drawn() }
    static func buildBlock(_ parts: Drawn...) -> Drawn { Drawn() }
    static func buildOptional(_ part: Drawn?) -> Drawn { Drawn() }
    static func buildEither(first part: Drawn) -> Drawn { part }
    static func buildEither(second part: Drawn) -> Drawn { part }
}

extension View {
    func task(_ action: @escaping @MainActor () async -> Void) -> Drawn { Drawn() }

    func onOpenURL(perform action: @escaping @MainActor (URL) -> Void) -> Drawn { Drawn() }

    func onChange<Value: Equatable>(
        of value: Value, _ action: @escaping @MainActor () -> Void
    ) -> Drawn { Drawn() }
}

struct ProgressView: PlainView {}

struct ContentUnavailableView: PlainView {
    init(_ title: String, systemImage: String) {}
}

struct List: PlainView {
    init(@ViewBuilder content: () -> Drawn) {}
}

struct ForEach: PlainView {
    init<Element, ID: Hashable>(
        _ data: [Element], id: KeyPath<Element, ID>,
        @ViewBuilder content: @escaping @MainActor (Element) -> Drawn
    ) {}

    init<Element: Identifiable>(
        _ data: [Element], @ViewBuilder content: @escaping @MainActor (Element) -> Drawn
    ) {}
}

struct Button: PlainView {
    init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

@MainActor protocol Scene {}

struct WindowGroup: Scene {
    init(@ViewBuilder content: () -> Drawn) {}
}

@MainActor protocol App {
    associatedtype Body: Scene
    var body: Body { get }
}

@propertyWrapper struct State<Value> {
    var wrappedValue: Value
}
