// The tree of a parsed template, as plain data: the parser makes it, the emitter reads it. Offsets
// count UTF-16 units from the start of the source.

import type { AttributeKind } from "./attributes.ts"

/** A piece of the source that is TypeScript and copied as it is. */
export interface Code {
  readonly start: number
  readonly end: number
  /** Whether a comma stands in it outside all brackets. */
  readonly commas: boolean
  /** Whether a `//` comment stands in it, which would swallow what is written after it. */
  readonly lineComment: boolean
  /** Whether it holds an `await` of the template itself. */
  readonly awaits: boolean
  /** The markup that stands in it as an argument or the value of a property, in order. */
  readonly markup: readonly Markup[]
}

/** `{<h2>…</h2>}` inside an expression: a value of type `Html`. */
export interface Markup {
  /** The offset of its opening brace. */
  readonly start: number
  /** The offset after its closing brace. */
  readonly end: number
  readonly nodes: readonly Node[]
  /** Whether it awaits. */
  readonly awaits: boolean
}

/** What stands in a block, an element or a template. */
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

/** Literal text, safe to print; its white space may be reduced. */
export interface TextNode {
  readonly kind: "text"
  readonly text: string
}

/** Literal source that is printed byte by byte: a doctype, the content of a script. */
export interface VerbatimNode {
  readonly kind: "verbatim"
  readonly text: string
}

/** Where an expression prints: as text, as text of a title or textarea, or as JSON in a script. */
export type Place = "text" | "plain" | "script" | "json"

/** `{expression}`. */
export interface ExpressionNode {
  readonly kind: "expression"
  readonly code: Code
  readonly place: Place
  /** Whether it is `{children}`. */
  readonly isChildren: boolean
}

/** `{Name(…) { markup }}`. */
export interface ComponentNode {
  readonly kind: "component"
  /** The call up to its closing parenthesis. */
  readonly call: Code
  /** What comes between the written arguments and the children. */
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
  /** What is printed where the loop had no item; undefined without an `else`. */
  readonly otherwise: readonly Node[] | undefined
}

/** `{switch (…) { case …: { … } default: { … } }}`; the default case has no test. */
export interface SwitchNode {
  readonly kind: "switch"
  readonly subject: Code
  readonly cases: readonly { readonly test: Code | undefined; readonly body: readonly Node[] }[]
}

/** An element with its attributes and content. */
export interface ElementNode {
  readonly kind: "element"
  /** The name as it is written. */
  readonly name: string
  /** The expression that gives the name in `<{tag}>`; undefined for a literal name. */
  readonly named: Code | undefined
  readonly start: number
  readonly isVoid: boolean
  /** Whether it is printed as `<name/>`, which is of XML alone. */
  readonly selfClosing: boolean
  /** Whether its white space is kept. */
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
  /** How its value is escaped. */
  readonly as: AttributeKind
  /** The parts of a simple class list, the first of which has no condition; undefined for all else. */
  readonly classes: readonly ClassPart[] | undefined
}

/** Class names, and what must hold for them to be printed. */
export interface ClassPart {
  readonly names: string
  readonly condition: Code | undefined
}

/** The value of a literal attribute as it is written, quotes included; undefined for a bare name. */
export type LiteralValue = string | undefined

/** One parameter of a template. */
export interface Parameter {
  readonly name: string
  /** The offset of its name or pattern. */
  readonly start: number
  /** Whether it may be left out: `?`, a default value, or `...rest`. */
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
  /** From after the name to before `(`: the type parameters. */
  readonly generics: { readonly start: number; readonly end: number }
  /** What stands between the parentheses. */
  readonly list: Code
  readonly parameters: readonly Parameter[]
  /** What must come before a further parameter: `, ` or nothing. */
  readonly separator: string
  readonly body: readonly Node[]
  /** The offset of its last brace. */
  readonly end: number
}

/** TypeScript between templates. */
export interface Plain {
  readonly kind: "plain"
  readonly start: number
  readonly end: number
}
