internal import Observation

/// A value whose readers are told when it changes.
///
/// It stands for `@Observable` in files that import `Connectivity`: the macro writes the name of its
/// module, which the type `Observation` of that room hides.
@propertyWrapper @MainActor @Observable
final class Tracked<Value> {
    var wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
