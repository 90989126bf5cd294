// The one table of what attributes mean for escaping; the compiler asks it for written attributes and
// the runtime for spread ones, so it imports nothing.

/**
 * How the value of an attribute is printed: `plain` escaped, `boolean` as "true" or "false", `url`,
 * `image` and `srcset` filtered, `local` a URL of the page's own origin, because what it loads runs in
 * the page, `htmx` text that must not begin as code, `paint` CSS that may name a part of the page, `class` and `style` from their own shapes, `json`
 * as JSON; `code` is evaluated by somebody as code or HTML, so no value can be made safe.
 */
export type AttributeKind =
  | "plain"
  | "boolean"
  | "url"
  | "image"
  | "srcset"
  | "local"
  | "htmx"
  | "paint"
  | "class"
  | "style"
  | "json"
  | "code"

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

const urls = set(
  "href src action formaction poster cite data background codebase longdesc manifest ping usemap classid " +
    "archive profile lowsrc dynsrc xmlns hx-get hx-post hx-put hx-patch hx-delete hx-push-url hx-replace-url",
)
/** Of a `data-` name these alone are URLs: scripts copy them to the attribute they are named after. */
const dataUrls = set("href src poster action formaction")
const srcsets = set("srcset imagesrcset")
const json = set("hx-vals hx-headers hx-request")
/** SVG's, which are read as CSS: a URL in them is loaded. */
const paints = set("fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end")
const booleans = set("draggable spellcheck contenteditable")
const images = set("img input")
const animations = set("animate set animatemotion animatetransform animatecolor")
const animated = set("attributename to from by values")
/** Of htmx's extensions: what comes from there is put into the page, from any origin. */
const streams = set("sse-connect ws-connect")
const code = set("hx-vars hx-trigger hx-sse hx-ws hx-live srcdoc _ script bind")
/** Event handlers, htmx's, Alpine's, Vue's, Angular's and Livewire's expressions. */
const codePrefix = /^(?:on|hx-on|x-|@|:|#|\.|v-|ng-|wire:|\(|\[)/

/** htmx 4 reads `hx-get:inherited` and `hx-vals:append` as the attributes before the colon. */
function withoutModifiers(name: string): string {
  return name.startsWith("hx-") ? name.replace(/:.*/, "") : name
}

/** Whether a browser or a script library evaluates the value; `name` is lower-cased. */
function isCode(element: string, name: string): boolean {
  const isData = name.startsWith("data-")
  const base = withoutModifiers(isData ? name.slice(5) : name)
  if (codePrefix.test(base)) return true
  // `bind` by itself means nothing; `data-bind` is Knockout's and Datastar's.
  if (code.has(base)) return base !== "bind" || isData
  return animations.has(element) && animated.has(name)
}

/** Whether scripts come from there: a script's own URL, in SVG too, and the one that theirs are relative to. */
function loadsCode(element: string, name: string): boolean {
  return (
    (element === "script" && (name === "src" || name === "href")) || (element === "base" && name === "href")
  )
}

/** The kind of an attribute by the names of its element and its own, both lower-cased. */
export function attributeKind(element: string, name: string): AttributeKind {
  if (name === "class" || name === "style") return name
  if (isCode(element, name)) return "code"
  const isData = name.startsWith("data-")
  const isHtmx = name.startsWith("hx-", isData ? 5 : 0)
  const base = isHtmx
    ? withoutModifiers(isData ? name.slice(5) : name)
    : isData
      ? name.slice(5)
      : name.slice(name.indexOf(":") + 1)
  if (json.has(base)) return "json"
  if (srcsets.has(base)) return "srcset"
  if (streams.has(base) || loadsCode(element, isData ? "" : base)) return "local"
  if (name === "src" && images.has(element)) return "image"
  if (isData ? dataUrls.has(base) || (isHtmx && urls.has(base)) : urls.has(base)) return "url"
  if (isHtmx) return "htmx"
  if (paints.has(name)) return "paint"
  if (name.startsWith("xmlns:") || name === "xml:base") return "url"
  return booleans.has(name) || name.startsWith("aria-") ? "boolean" : "plain"
}

/** What an attribute may be called: what the HTML parser keeps together, and prints as it was written. */
export const attributeName = /^[^\s"'<>/={}`\p{Cc}]+$/u
