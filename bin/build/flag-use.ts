/** The compile-time flags of fw, and how to find out if a program can use each part. */
import type { RouteTree } from "../../lib/tree.ts"

/** Signs that a program uses a part of fw. Without any, every program does. */
export interface FlagUse {
  /** Returns true if a program with these routes uses it, whatever its source contains. */
  readonly tree?: (tree: RouteTree) => boolean
  /**
   * Text in the source of a program that uses it, also if a name is computed. Matching too much costs bytes,
   * too little breaks a program.
   */
  readonly words?: RegExp
  /** Directory of the project that means the same as the words. */
  readonly directory?: string
  /**
   * True if a build leaves it out unless the source contains the flag's name, because it only explains
   * mistakes, which `fw dev` has shown.
   */
  readonly isOptional?: boolean
}

/** White space and comments, which may come between a dot and a name. */
const gap = String.raw`(?:\s|/\*[^]*?\*/|//[^\n]*\n)*`

/**
 * Returns a pattern for names used as properties: after a dot, in quotes, destructured from an object (but
 * not in a template literal), or called. For words that are also common elsewhere.
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
      "bindForm",
      "bytes",
      "form",
      "formFile",
      "formValue",
      "mount",
      "mountHandler",
      "parts",
      "readForm",
      "request",
      "text",
    ),
  },
  COOKIES: { words: /\b(?:cookie|setCookie|flash|flashed)\b/ },
  // Compiled templates call it.
  DEFER: { words: /\$fwDefer\b/ },
  FILE: { words: property("file") },
  FORMS: { words: property("bindForm", "bindQuery", "parts", "readForm") },
  FORWARDING: { words: /\btrustedProxies\b/ },
  HEALTH: { words: property("health") },
  // On by default.
  LOGGER: {},
  // An option, a method, and the middleware. True and false only say if there is a logger.
  LOGGER_OPTIONS: { words: /\bsetLogger\b|\blogger\b(?!["'\s]*:\s*(?:true|false)\b)/ },
  MESSAGES: { isOptional: true },
  MOUNT: { words: property("mount", "mountHandler") },
  // A method, and pages for errors.
  ON_ERROR: {
    tree: ({ notFound, error }) => notFound !== undefined || error !== undefined,
    words: property("onError", "pages"),
  },
  OPENAPI: { words: /\bopenapi\b/ },
  PAGES: {
    tree: ({ pages, notFound, error }) => pages.length > 0 || notFound !== undefined || error !== undefined,
    // A tree that the program builds itself has a list of them.
    words: property("page", "pages"),
  },
  // A method, and the export of a proxy file; the Proxy class of JavaScript is created with `new`.
  PROXY: { words: /\bsetProxy\b|(?<!\bnew )\bProxy\b/ },
  // Generated code mounts routes.
  ROUTES: {},
  // A field of a cookie, and an option of its reader.
  SIGNED_COOKIES: { words: property("signed") },
  // A method, the export of a route file, and a method under which the router stores them.
  SOCKETS: { words: /\b(?:socket|Socket|SOCKET)\b/ },
  SSE: { words: /\bsse\b/ },
  STATIC: { words: property("static", "staticDir"), directory: "static" },
  // fw itself names the code where it answers with one of these.
  STATUS_NAMES: { words: /\bHttpError\b/ },
  // The errors of stores for which the answer is 503. The engines have the texts.
  STORE: { words: /\bstore_un(?:available|known)\b/ },
  STREAM: { words: property("stream") },
} as const satisfies Readonly<Record<string, FlagUse>>

/** A flag's name after `FW_`. */
export type Flag = keyof typeof flagUse

/** Every flag, sorted by name. */
export const flags = Object.keys(flagUse) as readonly Flag[]

/** Returns a text for searching: escapes in names and strings are decoded. */
export function plainText(text: string): string {
  return text.replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi, (written, a, b, c) => {
    const code = Number.parseInt(a ?? b ?? c, 16)
    return code > 0x1f && code < 0x7f ? String.fromCharCode(code) : written
  })
}

/**
 * A name in brackets that is assembled: `c["form" + kind]`, `c[`form${kind}`]`. Its parts need not be words.
 */
const assembled = /[\w$)\]]\s*(?:\?\.\s*)?\[[^[\]\n]*(?:["'`]\s*\+|\+\s*["'`]|\$\{)[^\n]*?\]/

/** The start of brackets that contain more than a literal name. */
const open = String.raw`\s*(?:\?\.\s*)?\[(?!\s*(?:"[^"\n]*"|'[^'\n]*'|${"`[^`$\\n]*`"}|-?\d+|Symbol\.\w+)\s*\])`

/**
 * A call with a computed name, `list[name]()`, and any read with one from a variable with a usual name:
 * `c[name]`.
 */
const computed = new RegExp(
  String.raw`[\w$)\]]${open}(?:[^[\]\n]|\[[^[\]\n]*\])*\]\s*(?:\?\.\s*)?\(|\b(?:app|c|context|ctx)${open}|\bReflect\.(?:apply|get)\b`,
)

/**
 * Returns true if a text may call any method, so that its text proves nothing.
 *
 * @param isOwn it belongs to the project: packages often call with computed names, but seldom get a context.
 */
export function mayCallAnything(text: string, isOwn: boolean): boolean {
  return isOwn && (assembled.test(text) || computed.test(text))
}
