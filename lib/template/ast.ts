/** The tree of a parsed template, as plain data. Offsets count UTF-16 units from the start of the source. */

import type { AttributeKind } from "../html/attributes.ts"

/** A part of the source that is TypeScript and is copied unchanged. */
export interface Code {
  readonly start: number
  readonly end: number
  /** True if it contains a comma outside all brackets. */
  readonly commas: boolean
  /** True if it contains a `//` comment, which would hide code written after it. */
  readonly lineComment: boolean
  /** True if it contains an `await` of the template itself. */
  readonly awaits: boolean
  /** The markup in it, as arguments or values of properties, in order. */
  readonly markup: readonly Markup[]
}

/** `{<h2>…</h2>}` inside an expression: a value of type `Html`. */
export interface Markup {
  /** Offset of its opening brace. */
  readonly start: number
  /** Offset after its closing brace. */
  readonly end: number
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

/** Literal text, safe to print; its white space may be reduced. */
export interface TextNode {
  readonly kind: "text"
  readonly text: string
}

/** Literal source that is printed unchanged: a doctype, the content of a script. */
export interface VerbatimNode {
  readonly kind: "verbatim"
  readonly text: string
}

/** ValuePlace of an expression: text, text of a title or textarea, or JSON in a script. */
export type ValuePlace = "text" | "plain" | "script" | "json"

/** `{expression}`. */
export interface ExpressionNode {
  readonly kind: "expression"
  readonly code: Code
  readonly place: ValuePlace
  /** True if it is `{children}`. */
  readonly isChildren: boolean
}

/** `{Name(…) { markup }}`. */
export interface ComponentNode {
  readonly kind: "component"
  /** The call up to its closing parenthesis. */
  readonly call: Code
  /** Text between the written arguments and the children. */
  readonly separator: string
  /** The brace that opens the children. */
  readonly brace: number
  readonly children: readonly Node[]
}

/** `{const …}`. */
export interface ConstNode {
  readonly kind: "const"
  readonly code: Code
}

/** `{if (…) { … } else if (…) { … } else { … }}`; the last branch may have no condition. */
export interface IfNode {
  readonly kind: "if"
  readonly branches: readonly { readonly condition: Code | undefined; readonly body: readonly Node[] }[]
}

/** `{for (…) { … } else { … }}`. */
export interface ForNode {
  readonly kind: "for"
  readonly awaits: boolean
  readonly header: Code
  readonly body: readonly Node[]
  /** Nodes that are printed if the loop has no items; undefined without an `else`. */
  readonly otherwise: readonly Node[] | undefined
}

/** `{switch (…) { case …: { … } default: { … } }}`; the default case has no test. */
export interface SwitchNode {
  readonly kind: "switch"
  readonly subject: Code
  readonly cases: readonly { readonly test: Code | undefined; readonly body: readonly Node[] }[]
}

/** `{defer { … } pending { … } failed (error) { … }}`. */
export interface DeferNode {
  readonly kind: "defer"
  /** Offset of its first word. */
  readonly start: number
  readonly body: readonly Node[]
  /** Nodes that are printed until the body is there; none without a `pending`. */
  readonly pending: readonly Node[]
  /** Nodes that are printed if the body fails; undefined without a `failed`. */
  readonly failed: Failed | undefined
}

/** `failed (error) { … }`. */
export interface Failed {
  /** The name that the error has in the body; undefined if it has none. */
  readonly name: { readonly start: number; readonly end: number } | undefined
  readonly body: readonly Node[]
}

/** An element with its attributes and content. */
export interface ElementNode {
  readonly kind: "element"
  /** The name as written. */
  readonly name: string
  /** The expression that computes the name in `<{tag}>`; undefined for a literal name. */
  readonly named: Code | undefined
  readonly start: number
  readonly isVoid: boolean
  /** True if it is printed as `<name/>`, which only XML has. */
  readonly selfClosing: boolean
  /** True if its white space is kept. */
  readonly keepsSpace: boolean
  readonly attributes: readonly Attribute[]
  readonly children: readonly Node[]
}

/** An attribute, or a `{...spread}` of several. */
export type Attribute =
  | { readonly kind: "literal"; readonly name: string; readonly start: number; readonly value: LiteralValue }
  | DynamicAttribute
  | { readonly kind: "spread"; readonly start: number; readonly code: Code }

/** `name={expression}`. */
export interface DynamicAttribute {
  readonly kind: "dynamic"
  readonly name: string
  readonly start: number
  readonly code: Code
  /** The kind of the attribute, which decides how its value is escaped. */
  readonly as: AttributeKind
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
  readonly optional: boolean
  /** Its type annotation; undefined without one. */
  readonly type: { readonly start: number; readonly end: number } | undefined
}

/** One `template` block. */
export interface Template {
  readonly kind: "template"
  readonly name: string
  readonly start: number
  readonly nameStart: number
  /** The type parameters: from after the name to before `(`. */
  readonly generics: { readonly start: number; readonly end: number }
  /** The parameters between the parentheses. */
  readonly list: Code
  readonly parameters: readonly Parameter[]
  /** Text that must come before a further parameter: `, ` or nothing. */
  readonly separator: string
  readonly body: readonly Node[]
  /** Offset of its last brace. */
  readonly end: number
}

/** TypeScript between templates. */
export interface Plain {
  readonly kind: "plain"
  readonly start: number
  readonly end: number
}
