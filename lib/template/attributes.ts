// The one table of what attributes mean for escaping; the compiler asks it for written attributes and
// the runtime for spread ones, so it imports nothing.

/**
 * How the value of an attribute is printed: `plain` escaped, `boolean` as "true" or "false", `url`,
 * `image` and `srcset` filtered, `class` and `style` from their own shapes, `json` as JSON; `code` is
 * evaluated by somebody as code or HTML, so no value can be made safe.
 */
export type AttributeKind =
  | "plain"
  | "boolean"
  | "url"
  | "image"
  | "srcset"
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
const booleans = set("draggable spellcheck contenteditable")
const images = set("img input")
const animations = set("animate set animatemotion animatetransform animatecolor")
const animated = set("attributename to from by values")
const code = set("hx-vars hx-trigger srcdoc _")
/** Event handlers, htmx's, Alpine's, Vue's and Angular's expressions. */
const codePrefix = /^(?:on|hx-on|x-|@|:|v-|ng-|\(|\[)/

/** Whether a browser or a script library evaluates the value; `name` is lower-cased. */
function isCode(element: string, name: string): boolean {
  const isData = name.startsWith("data-")
  const base = isData ? name.slice(5) : name
  if (codePrefix.test(base)) return true
  return code.has(base) || name === "data-script" || (animations.has(element) && animated.has(name))
}

/** The kind of an attribute by the names of its element and its own, both lower-cased. */
export function attributeKind(element: string, name: string): AttributeKind {
  if (name === "class" || name === "style") return name
  if (isCode(element, name)) return "code"
  const isData = name.startsWith("data-")
  const base = isData ? name.slice(5) : name.slice(name.indexOf(":") + 1)
  const isHtmx = base.startsWith("hx-")
  if (json.has(base)) return "json"
  if (srcsets.has(base)) return "srcset"
  if (name === "src" && images.has(element)) return "image"
  if (isData ? dataUrls.has(base) || (isHtmx && urls.has(base)) : urls.has(base)) return "url"
  if (name.startsWith("xmlns:") || name === "xml:base") return "url"
  return booleans.has(name) || name.startsWith("aria-") ? "boolean" : "plain"
}

/** What an attribute may be called: what the HTML parser keeps together, and prints as it was written. */
export const attributeName = /^[^\s"'<>/={}`\p{Cc}]+$/u
