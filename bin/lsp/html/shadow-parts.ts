/** The parts of a template that its shadow knows, each by its offsets in the source. */

/** A part of the source from `start` to before `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A tag, or a comment. */
export interface Tag extends Span {
  readonly kind: "start" | "end" | "comment"
  /** The place of its name. For a comment, it is empty. */
  readonly name: Span
  /** True for a start tag that ends with `/>`. */
  readonly isSelfClosed: boolean
}

/** CSS in markup: the content of a style element, or the value of an attribute `style`. */
export interface StylePart extends Span {
  readonly kind: "sheet" | "declarations"
  /** False if its end is not written yet. */
  readonly isClosed: boolean
}

/** A block in braces with markup in it, from brace to brace. */
export interface Block extends Span {
  /** `if`, `for`, `switch`, `defer`, or `call` for the children of a template. */
  readonly word: string
  /** The markup in it, without the braces: one part for each case or branch. */
  readonly bodies: readonly Span[]
}

/** The body of a template. */
export interface TemplateBody extends Span {
  /** The offset of the word `template`. */
  readonly keywordStart: number
  /** The name of the template. */
  readonly name: Span
}

/** The markup of a source, and where the code in it is. */
export interface Shadow {
  readonly text: string
  /** The code in braces, with the braces. */
  readonly code: readonly Span[]
  /** The bodies of the templates, without their braces. */
  readonly bodies: readonly TemplateBody[]
  /** The blocks, in the order of their starts. */
  readonly blocks: readonly Block[]
  /** The tags and comments, in their order. */
  readonly tags: readonly Tag[]
  readonly styles: readonly StylePart[]
}

/** Returns true if a person writes markup at an offset: in a template, and not in code. */
export function isMarkup({ code, bodies }: Shadow, offset: number): boolean {
  if (!bodies.some(({ start, end }) => start <= offset && offset <= end)) return false
  return !code.some(({ start, end }) => start < offset && offset < end)
}
