/** The compile-time flags of fw, and how a program that uses a part of it is told from one that cannot. */
import type { RouteTree } from "../../lib/tree.ts"

/** Who uses a part of fw. Where nothing is said, every program does. */
export interface FlagUse {
  /** Whether a program with these routes does, whatever its texts say. */
  readonly tree?: (tree: RouteTree) => boolean
  /** What a program that does has in its texts, also where it computes a name. Too much costs bytes, too little breaks a program. */
  readonly words?: RegExp
  /** A directory of the project that has the same meaning as the words. */
  readonly directory?: string
  /** Whether a build leaves it out unless the flag's name is in a text: it only says more about mistakes, which `fw dev` has shown. */
  readonly isOptional?: boolean
}

/** White space and comments, which may be between a dot and a name. */
const gap = String.raw`(?:\s|/\*[^]*?\*/|//[^\n]*\n)*`

/**
 * Names as a property has them: after a dot, in quotes, taken out of an object (but not the hole of a template), called.
 * For words that are common in other places.
 */
function property(...names: readonly string[]): RegExp {
  const one = `(?:${names.join("|")})`
  const forms = [
    String.raw`\.${gap}${one}\b`,
    String.raw`(["'\`])${one}\1`,
    String.raw`(?:(?<!\$)\{|,)${gap}${one}${gap}[,}=:]`,
    String.raw`\b${one}\(`,
  ]
  return new RegExp(forms.join("|"))
}

/** Each flag by its name after `FW_`. */
export const flagUse = {
  // A mounted handler gets a Request.
  BODY: {
    words: property(
      "bind",
      "bytes",
      "form",
      "formFile",
      "formValue",
      "mount",
      "mountHandler",
      "request",
      "text",
    ),
  },
  COOKIES: { words: /\b(?:cookie|setCookie)\b/ },
  FORWARDING: { words: /\btrustedProxies\b/ },
  // On from the start.
  LOGGER: {},
  MESSAGES: { isOptional: true },
  MOUNT: { words: property("mount", "mountHandler") },
  OPENAPI: { words: /\bopenapi\b/ },
  PAGES: {
    tree: ({ pages, notFound, error }) => pages.length > 0 || notFound !== undefined || error !== undefined,
    // A tree that the program makes itself has a list of them.
    words: property("pages"),
  },
  // A method, and the export of a proxy file; the class of the language is made by `new`.
  PROXY: { words: /\bsetProxy\b|(?<!\bnew )\bProxy\b/ },
  // What fw generates mounts routes.
  ROUTES: {},
  // A method, the export of a route file, a method by the name that the router keeps it under.
  SOCKETS: { words: /\b(?:socket|Socket|SOCKET)\b/ },
  SSE: { words: /\bsse\b/ },
  STATIC: { words: property("static", "staticDir"), directory: "static" },
  STREAM: { words: property("stream") },
} as const satisfies Readonly<Record<string, FlagUse>>

/** A flag's name after `FW_`. */
export type Flag = keyof typeof flagUse

/** Every flag, in the order of names. */
export const flags = Object.keys(flagUse) as readonly Flag[]

/** A text as it is searched: escapes in names and strings are the characters that they stand for. */
export function plainText(text: string): string {
  return text.replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi, (written, a, b, c) => {
    const code = Number.parseInt(a ?? b ?? c, 16)
    return code > 0x1f && code < 0x7f ? String.fromCharCode(code) : written
  })
}

/** A name in brackets that is put together: `c["form" + kind]`, `c[`form${kind}`]`. Its parts need not be words. */
const assembled = /[\w$)\]]\s*(?:\?\.\s*)?\[[^[\]\n]*(?:["'`]\s*\+|\+\s*["'`]|\$\{)[^\n]*?\]/

/** The start of brackets that hold more than a name which is written there. */
const open = String.raw`\s*(?:\?\.\s*)?\[(?!\s*(?:"[^"\n]*"|'[^'\n]*'|${"`[^`$\\n]*`"}|-?\d+|Symbol\.\w+)\s*\])`

/** A call by a computed name, `list[name]()`, and any read by one of what is usually called so: `c[name]`. */
const computed = new RegExp(
  String.raw`[\w$)\]]${open}(?:[^[\]\n]|\[[^[\]\n]*\])*\]\s*(?:\?\.\s*)?\(|\b(?:app|c|context|ctx)${open}|\bReflect\.(?:apply|get)\b`,
)

/**
 * Whether a text may call any method, so that its words say nothing.
 *
 * @param isOwn it is the project's: packages call by computed names all the time, but are seldom given a context to do so.
 */
export function mayCallAnything(text: string, isOwn: boolean): boolean {
  return isOwn && (assembled.test(text) || computed.test(text))
}
