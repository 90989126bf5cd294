/**
 * The parts of a template that its shadow contains, with their ranges in the source. The shadow is the template's
 * text with only the markup left.
 */

/** A range of the source; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A tag or a comment. */
export interface Tag extends Span {
  readonly kind: "start" | "end" | "comment"
  /** The range of the name. It is empty for a comment. */
  readonly name: Span
  /** True for a start tag that ends with `/>`. */
  readonly isSelfClosed: boolean
}

/** CSS in the markup: the content of a style element, or the value of a `style` attribute. */
export interface StylePart extends Span {
  readonly kind: "sheet" | "declarations"
  /** False if its end is missing in the source. */
  readonly isClosed: boolean
}

/** A block with markup, from its first to its last brace. */
export interface Block extends Span {
  /** The block's word: `if`, `for`, `switch`, `defer`, or `call` for the children that are passed to a template. */
  readonly word: string
  /** The markup without braces, one range for each branch or case. */
  readonly bodies: readonly Span[]
}

/** The body of a template. */
export interface TemplateBody extends Span {
  /** The offset of the word `template`. */
  readonly keywordStart: number
  /** The range of the template's name. */
  readonly name: Span
}

/** The shadow of a source, and the parts of the source. */
export interface Shadow {
  readonly text: string
  /** The code in braces, including the braces. */
  readonly code: readonly Span[]
  /** The bodies of the templates, without their braces. */
  readonly bodies: readonly TemplateBody[]
  /** The blocks, in the order of their starts. */
  readonly blocks: readonly Block[]
  /** The tags and comments, in order. */
  readonly tags: readonly Tag[]
  readonly styles: readonly StylePart[]
}

/** Returns true if an offset is in the markup of a template and not in code. */
export function isMarkup({ code, bodies }: Shadow, offset: number): boolean {
  if (!bodies.some(({ start, end }) => start <= offset && offset <= end)) return false
  return !code.some(({ start, end }) => start < offset && offset < end)
}
