/** The syntax tree of a template, as plain data. Offsets count UTF-16 units from the start of the source. */

import type { AttributeKind } from "../lib/html/attributes.ts"

/** A range of the source. `end` is not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A range of the source that is TypeScript. It is copied unchanged. */
export interface Code extends Span {
  /** True if there is a comma outside of all brackets. */
  readonly hasCommas: boolean
  /** True if there is a `//` comment. It would hide code that is written after it. */
  readonly hasLineComment: boolean
  /** True if there is an `await` that belongs to the template, and not to a function inside. */
  readonly awaits: boolean
  /** The pieces of markup inside the code, in order. Each is an argument, or the value of a property. */
  readonly markup: readonly Markup[]
  /** The text that closes brackets which the code leaves open. Undefined for complete code. */
  readonly missingClosers?: string
}

/** `{<h2>…</h2>}` inside an expression, including the braces. Its value has the type `Html`. */
export interface Markup extends Span {
  readonly nodes: readonly Node[]
  /** True if it contains an `await`. */
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
 * Literal text that is safe to print. Its white space may be reduced. It has no position, because there may be comments
 * between its pieces.
 */
export interface TextNode {
  readonly kind: "text"
  readonly text: string
}

/** Source that is printed unchanged, such as a doctype or the content of a script. */
export interface VerbatimNode extends Span {
  readonly kind: "verbatim"
  readonly text: string
}

/** Where the value of an expression is printed: in text, in a title or textarea (`plain`), in a script, or in JSON. */
export type ValuePlace = "text" | "plain" | "script" | "json"

/** `{expression}`, including the braces. */
export interface ExpressionNode extends Span {
  readonly kind: "expression"
  readonly code: Code
  readonly place: ValuePlace
  /** True for `{children}`. */
  readonly isChildren: boolean
}

/** A node in braces that contains blocks. */
export interface BracedNode extends Span {
  /** The contents of its blocks without their braces, in order. */
  readonly blocks: readonly Span[]
}

/** `{Name(…) { markup }}`. */
export interface ComponentNode extends BracedNode {
  readonly kind: "component"
  /** The call, without its closing parenthesis. */
  readonly call: Code
  /** The text to write between the arguments and the children: `, ` or nothing. */
  readonly separator: string
  /** The offset of the brace that opens the children. */
  readonly braceStart: number
  readonly children: readonly Node[]
}

/** `{const …}`. */
export interface ConstNode extends Span {
  readonly kind: "const"
  readonly code: Code
}

/** `{if (…) { … } else if (…) { … } else { … }}`. The last branch may have no condition. */
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
  /** The nodes for a loop without items; undefined if there is no `else`. */
  readonly otherwise: readonly Node[] | undefined
}

/** `{switch (…) { case …: { … } default: { … } }}`. The default case has no test. */
export interface SwitchNode extends BracedNode {
  readonly kind: "switch"
  readonly subject: Code
  readonly cases: readonly { readonly test: Code | undefined; readonly body: readonly Node[] }[]
}

/** `{defer { … } pending { … } failed (error) { … }}`. */
export interface DeferNode extends BracedNode {
  readonly kind: "defer"
  /** The offset of the word `defer`. */
  readonly wordStart: number
  readonly body: readonly Node[]
  /** The nodes that are printed until the body is ready. Empty if there is no `pending`. */
  readonly pending: readonly Node[]
  /** The nodes for a body that fails; undefined if there is no `failed`. */
  readonly failed: FailedBlock | undefined
}

/** `failed (error) { … }`. */
export interface FailedBlock {
  /** The name of the error in the body; undefined if it has none. */
  readonly name: Span | undefined
  readonly body: readonly Node[]
}

/** Code of a broken template. An error after the code hides what the code belongs to. */
export interface UnfinishedNode extends Span {
  readonly kind: "unfinished"
  readonly code: Code
}

/** The source between the tags of an element. */
export interface ElementContent extends Span {
  /** The name in the end tag. Set if the name is an expression. */
  readonly closing?: Span | undefined
}

/** An element, with its attributes and its content. */
export interface ElementNode extends Span {
  readonly kind: "element"
  /** The name as it is written. */
  readonly name: string
  /** The expression for the name in `<{tag}>`; undefined for a literal name. */
  readonly nameCode: Code | undefined
  /** The start tag. */
  readonly tag: Span
  /** The source between the tags; undefined if there is no end tag. */
  readonly content: ElementContent | undefined
  readonly isVoid: boolean
  /** True if it is printed as `<name/>`, which is only possible in XML. */
  readonly isSelfClosing: boolean
  /** True if the white space inside is significant. */
  readonly keepsSpace: boolean
  readonly attributes: readonly Attribute[]
  readonly children: readonly Node[]
}

/** One attribute, or a spread of several: `{...attributes}`. */
export type Attribute =
  | (Span & { readonly kind: "literal"; readonly name: string; readonly value: LiteralValue })
  | DynamicAttribute
  | (Span & { readonly kind: "spread"; readonly code: Code })

/** `name={expression}`. */
export interface DynamicAttribute extends Span {
  readonly kind: "dynamic"
  readonly name: string
  readonly code: Code
  /** The kind of the attribute. It decides how the value is escaped. */
  readonly attributeKind: AttributeKind
  /** The parts of a simple list of class names. The first part has no condition. Undefined for other values. */
  readonly classes: readonly ClassPart[] | undefined
}

/** Class names, and the condition under which they are printed. */
export interface ClassPart {
  readonly names: string
  readonly condition: Code | undefined
}

/** The value of a literal attribute as it is written, with quotes; undefined if there is only a name. */
export type LiteralValue = string | undefined

/** A parameter of a template. */
export interface Parameter {
  readonly name: string
  /** The offset of its name, or of its destructuring pattern. */
  readonly start: number
  /** True if the argument may be omitted: for `?`, a default value, and `...rest`. */
  readonly isOptional: boolean
  /** The type annotation; undefined if there is none. */
  readonly type: Span | undefined
}

/** A `template` block, from the word `template` to its last brace. */
export interface Template extends Span {
  readonly kind: "template"
  readonly name: string
  readonly nameStart: number
  /** The type parameters: everything between the name and `(`. */
  readonly generics: Span
  /** The parameters between the parentheses. */
  readonly parameterList: Code
  readonly parameters: readonly Parameter[]
  /** The text to write before a further parameter: `, ` or nothing. */
  readonly separator: string
  readonly body: readonly Node[]
  /** The range between the braces of the body. */
  readonly bodySpan: Span
  /** True if the template returns a promise. */
  readonly isAsync: boolean
  /** True if the template prints `{children}`, the markup of its caller. */
  readonly printsChildren: boolean
}

/** A range of TypeScript between templates. */
export interface TypeScriptPart extends Span {
  readonly kind: "plain"
  /** The text that closes brackets which the code leaves open. Undefined for code without an error. */
  readonly missingClosers?: string
}
