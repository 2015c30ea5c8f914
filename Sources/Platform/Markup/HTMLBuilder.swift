/// Puts the pieces of an element together; texts among them are escaped.
@resultBuilder
package enum HTMLBuilder {
    package static func buildExpression(_ piece: HTML) -> HTML { piece }
    package static func buildExpression(_ text: String) -> HTML { HTML(text) }
    package static func buildExpression(_ piece: HTML?) -> HTML { piece ?? .empty }
    package static func buildExpression(_ pieces: [HTML]) -> HTML { .joined(pieces) }
    package static func buildBlock(_ pieces: HTML...) -> HTML { .joined(pieces) }
    package static func buildOptional(_ piece: HTML?) -> HTML { piece ?? .empty }
    package static func buildEither(first piece: HTML) -> HTML { piece }
    package static func buildEither(second piece: HTML) -> HTML { piece }
    package static func buildArray(_ pieces: [HTML]) -> HTML { .joined(pieces) }
}

/// An element with its attributes and content.
package func element(
    _ name: StaticString, _ attributes: HTMLAttribute..., @HTMLBuilder content: () -> HTML
) -> HTML {
    .element(name, attributes, content())
}

/// An element with a list of attributes.
package func element(
    _ name: StaticString, _ attributes: [HTMLAttribute], @HTMLBuilder content: () -> HTML
) -> HTML {
    .element(name, attributes, content())
}

/// An element with a text.
package func element(_ name: StaticString, _ attributes: HTMLAttribute..., text: String) -> HTML {
    .element(name, attributes, HTML(text))
}

/// An element without content.
package func void(_ name: StaticString, _ attributes: HTMLAttribute...) -> HTML {
    .void(name, attributes)
}
