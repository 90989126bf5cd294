/** The tree of a parsed template, as plain data. Offsets count UTF-16 units from the start of the source. */

import type { AttributeKind } from "../lib/html/attributes.ts"

/** A part of the source, from `start` to before `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A part of the source that is TypeScript and is copied unchanged. */
export interface Code extends Span {
  /** True if it contains a comma outside all brackets. */
  readonly hasCommas: boolean
  /** True if it contains a `//` comment, which would hide code written after it. */
  readonly hasLineComment: boolean
  /** True if it contains an `await` of the template itself. */
  readonly awaits: boolean
  /** The markup in it, as arguments or values of properties, in order. */
  readonly markup: readonly Markup[]
  /** Text that closes its open brackets; undefined for code that was read to its end. */
  readonly missingClosers?: string
}

/** `{<h2>…</h2>}` inside an expression: a value of type `Html`. It includes its braces. */
export interface Markup extends Span {
  readonly nodes: readonly Node[]
  /** True if it awaits. */
  readonly awaits: boolean
}

/** A node of a block, an element or a template. */
export type Node =
  | TextNode
  | VerbatimNode
  | ElementNode
  | ExpressionNode
  | ComponentNode
  | ConstNode
  | IfNode
  | ForNode
  | SwitchNode
  | DeferNode
  | UnfinishedNode

/**
 * Literal text, safe to print; its white space may be reduced. It has no position, because comments may be in the
 * middle of its source.
 */
export interface TextNode {
  readonly kind: "text"
  readonly text: string
}

/** Literal source that is printed unchanged: a doctype, the content of a script. */
export interface VerbatimNode extends Span {
  readonly kind: "verbatim"
  readonly text: string
}

/** The place of an expression's value: text, text of a title or textarea, or JSON in a script. */
export type ValuePlace = "text" | "plain" | "script" | "json"

/** `{expression}`, with its braces. */
export interface ExpressionNode extends Span {
  readonly kind: "expression"
  readonly code: Code
  readonly place: ValuePlace
  /** True if it is `{children}`. */
  readonly isChildren: boolean
}

/** A node in braces that contains blocks of markup. */
export interface BracedNode extends Span {
  /** The content of its blocks, without their braces, in the order of the source. */
  readonly blocks: readonly Span[]
}

/** `{Name(…) { markup }}`. */
export interface ComponentNode extends BracedNode {
  readonly kind: "component"
  /** The call up to its closing parenthesis. */
  readonly call: Code
  /** Text between the written arguments and the children. */
  readonly separator: string
  /** The brace that opens the children. */
  readonly braceStart: number
  readonly children: readonly Node[]
}

/** `{const …}`. */
export interface ConstNode extends Span {
  readonly kind: "const"
  readonly code: Code
}

/** `{if (…) { … } else if (…) { … } else { … }}`; the last branch may have no condition. */
export interface IfNode extends BracedNode {
  readonly kind: "if"
  readonly branches: readonly { readonly condition: Code | undefined; readonly body: readonly Node[] }[]
}

/** `{for (…) { … } else { … }}`. */
export interface ForNode extends BracedNode {
  readonly kind: "for"
  readonly awaits: boolean
  readonly header: Code
  readonly body: readonly Node[]
  /** Nodes that are printed if the loop has no items; undefined without an `else`. */
  readonly otherwise: readonly Node[] | undefined
}

/** `{switch (…) { case …: { … } default: { … } }}`; the default case has no test. */
export interface SwitchNode extends BracedNode {
  readonly kind: "switch"
  readonly subject: Code
  readonly cases: readonly { readonly test: Code | undefined; readonly body: readonly Node[] }[]
}

/** `{defer { … } pending { … } failed (error) { … }}`. */
export interface DeferNode extends BracedNode {
  readonly kind: "defer"
  /** Offset of its first word. */
  readonly wordStart: number
  readonly body: readonly Node[]
  /** Nodes that are printed until the body is there; none without a `pending`. */
  readonly pending: readonly Node[]
  /** Nodes that are printed if the body fails; undefined without a `failed`. */
  readonly failed: FailedBlock | undefined
}

/** `failed (error) { … }`. */
export interface FailedBlock {
  /** The name that the error has in the body; undefined if it has none. */
  readonly name: Span | undefined
  readonly body: readonly Node[]
}

/** Code of a broken template, whose place is unknown because of an error after it. */
export interface UnfinishedNode extends Span {
  readonly kind: "unfinished"
  readonly code: Code
}

/** The source between two tags. */
export interface ElementContent extends Span {
  /** The name in the end tag, if it is computed. */
  readonly closing?: Span | undefined
}

/** An element with its attributes and content. */
export interface ElementNode extends Span {
  readonly kind: "element"
  /** The name as written. */
  readonly name: string
  /** The expression that computes the name in `<{tag}>`; undefined for a literal name. */
  readonly nameCode: Code | undefined
  /** Its start tag. */
  readonly tag: Span
  /** The source between its tags; undefined without an end tag. */
  readonly content: ElementContent | undefined
  readonly isVoid: boolean
  /** True if it is printed as `<name/>`, which only XML has. */
  readonly isSelfClosing: boolean
  /** True if its white space is kept. */
  readonly keepsSpace: boolean
  readonly attributes: readonly Attribute[]
  readonly children: readonly Node[]
}

/** An attribute, or a `{...spread}` of several. */
export type Attribute =
  | (Span & { readonly kind: "literal"; readonly name: string; readonly value: LiteralValue })
  | DynamicAttribute
  | (Span & { readonly kind: "spread"; readonly code: Code })

/** `name={expression}`. */
export interface DynamicAttribute extends Span {
  readonly kind: "dynamic"
  readonly name: string
  readonly code: Code
  /** The kind of the attribute, which decides how its value is escaped. */
  readonly attributeKind: AttributeKind
  /** The parts of a simple class list, the first of which has no condition; undefined for other values. */
  readonly classes: readonly ClassPart[] | undefined
}

/** Class names, and the condition for printing them. */
export interface ClassPart {
  readonly names: string
  readonly condition: Code | undefined
}

/** The value of a literal attribute as written, with quotes; undefined for a name without a value. */
export type LiteralValue = string | undefined

/** One parameter of a template. */
export interface Parameter {
  readonly name: string
  /** Offset of its name or pattern. */
  readonly start: number
  /** True if it may be omitted: `?`, a default value, or `...rest`. */
  readonly isOptional: boolean
  /** Its type annotation; undefined without one. */
  readonly type: Span | undefined
}

/** One `template` block, from its first word to after its last brace. */
export interface Template extends Span {
  readonly kind: "template"
  readonly name: string
  readonly nameStart: number
  /** The type parameters: from after the name to before `(`. */
  readonly generics: Span
  /** The parameters between the parentheses. */
  readonly parameterList: Code
  readonly parameters: readonly Parameter[]
  /** Text that must come before a further parameter: `, ` or nothing. */
  readonly separator: string
  readonly body: readonly Node[]
  /** The source between its braces. */
  readonly bodySpan: Span
  /** True if it returns a promise. */
  readonly isAsync: boolean
  /** True if it prints the markup of its caller. */
  readonly printsChildren: boolean
}

/** TypeScript between templates. */
export interface TypeScriptPart extends Span {
  readonly kind: "plain"
  /** Text that closes its open brackets; undefined for code without an error. */
  readonly missingClosers?: string
}
