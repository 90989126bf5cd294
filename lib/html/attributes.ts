/**
 * The table of attributes and of how their values are escaped. The compiler uses it for attributes that are written in
 * a template, and the runtime for spread attributes.
 */

import { isEventAttribute } from "./events.ts"

/**
 * The kind of an attribute, which decides how its value is printed.
 *
 * Filtered URLs: `url`; `link` (the project may allow further schemes); `image` and `media` (`data:` URLs of that kind
 * too); `cite` (names of books too); `srcset`; `local` (only the page's own origin, because the loaded code runs in the
 * page).
 *
 * Text: `plain`; `boolean` ("true" or "false"); `paint` (CSS that may refer to an element of the page); `class` and
 * `style`, which have types of their own.
 *
 * For htmx: `htmx` and `prose` (text that must not begin like code); `flag` (only "true" or "false"); `json`; `config`
 * (JSON without a URL).
 *
 * `code` is evaluated as code or HTML, so no value is safe.
 */
export type AttributeKind =
  | "plain"
  | "boolean"
  | "url"
  | "link"
  | "image"
  | "media"
  | "cite"
  | "srcset"
  | "local"
  | "htmx"
  | "prose"
  | "flag"
  | "json"
  | "config"
  | "paint"
  | "class"
  | "style"
  | "code"

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(" "))
/** Builds a table from lists of names, one list for each value of the table. */
const buildTable = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(rows).flatMap(([value, names]) => names.split(" ").map((name) => [name, value])))

/** Attributes that are URLs on every element. A custom element may copy them to another element. */
const urlAttributes = toSet("href src formaction xmlns")
/** Attributes that are URLs only on these elements (HTML §4 and, for obsolete ones, §16). */
const elementsByURLAttribute: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    action: "form",
    archive: "object applet",
    background: "body table thead tbody tfoot tr td th",
    cite: "blockquote q del ins",
    classid: "object",
    codebase: "object applet",
    data: "object",
    dynsrc: "img input",
    longdesc: "img iframe frame",
    lowsrc: "img input",
    manifest: "html",
    ping: "a area",
    poster: "video",
    profile: "head",
    usemap: "img input object",
  }).map(([name, elements]) => [name, toSet(elements)]),
)
/** The kinds of attributes whose URLs have fewer or more restrictions than those of the kind `url`. */
const specialURLKinds = buildTable({
  link: "a.href area.href",
  image: "img.src input.src image.href video.poster",
  media: "video.src audio.src source.src",
  cite: "blockquote.cite q.cite del.cite ins.cite",
  // URLs that scripts are loaded from: that of a script, also in SVG, and the base of relative URLs.
  local: "script.src script.href base.href",
})
/** The only `data-` names that are URLs: scripts copy them to the attribute without `data-`. */
const dataURLAttributes = toSet("href src poster formaction")
/** Values of `rel` that contain only names of icons. */
const iconRel = /^\s*(?:(?:shortcut|(?:apple-touch-|mask-)?icon|apple-touch-icon-precomposed)(?:\s+|$))+$/i
const srcsetAttributes = toSet("srcset imagesrcset")
/** Attributes of SVG that browsers read as CSS. A URL in them would be loaded. */
const paintAttributes = toSet("fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end")
const booleanAttributes = toSet("draggable spellcheck contenteditable")
const animationElements = toSet("animate set animatemotion animatetransform animatecolor")
const animationAttributes = toSet("attributename to from by values")

/**
 * Attributes of htmx 4.0.1. htmx requests the URLs, runs the code, and merges `hx-boost` and `hx-status` into the
 * request or its response. Names of other versions and of extensions have the kind `htmx`.
 */
const htmxKinds = buildTable({
  url: "hx-get hx-post hx-put hx-patch hx-delete hx-query hx-action hx-push-url hx-replace-url",
  json: "hx-vals hx-headers hx-request",
  config: "hx-config",
  flag: "hx-boost",
  prose: "hx-confirm",
  code: "hx-on hx-vars hx-trigger hx-status hx-sse hx-ws hx-live",
  htmx:
    "hx-disable hx-encoding hx-history-elt hx-ignore hx-include hx-indicator hx-method hx-morph-skip " +
    "hx-morph-skip-children hx-preserve hx-select hx-select-oob hx-swap hx-swap-oob hx-sync hx-target hx-validate",
}) as ReadonlyMap<string, AttributeKind>
/**
 * Attributes that connect the extensions of htmx to a server, of versions 1, 2 and 4. What the server sends is put into
 * the page, from any origin.
 */
const streamAttribute = /^(?:hx-)?(?:sse|ws)[-:]connect(?::|$)/

const codeAttributes = toSet("srcdoc _ script")
/** Prefixes of expressions in htmx, Alpine, Vue, Angular, Livewire and Unpoly. */
const codePrefix = /^(?:hx-on|x-|@|:|#|\.|v-|ng-|wire:|up-on-|\(|\[)/
/** Names after `data-` that a library evaluates as code. All other names after `data-` belong to the project. */
const dataCodeName =
  /^(?:hx-on|@|:|#|\.|ng-|wire:|up-on-|\(|\[|on[-:._]|x-(?:bind|data|effect|for|html|id|if|init|model|on|show|text|transition)(?![a-z\d-])|v-(?:bind|else-if|for|html|if|model|on|show|slot|text)(?![a-z\d-]))/

/**
 * Removes modifiers: htmx 4 reads `hx-get:inherited` and `hx-vals:append` as the attributes before the colon.
 */
function removeModifiers(name: string): string {
  return name.replace(/:.*/, "")
}

/** Returns the names of the attributes that htmx 4.0.1 reads. */
export function listHTMXNames(): string[] {
  return [...htmxKinds.keys()]
}

/**
 * Returns true if a browser or a script library evaluates the value of an attribute. `name` is in lower case and does
 * not include `data-`.
 */
function isCodeAttribute(element: string, name: string, isData: boolean): boolean {
  if (isData) return dataCodeName.test(name) || isEventAttribute(name) || codeAttributes.has(name) || name === "bind"
  // Browsers may add new events, so every name that begins with `on` is refused, except a few English words.
  const isHandler = name.startsWith("on") && !/^on(?:ce|e|line|ly)$/.test(name)
  if (isHandler || codePrefix.test(name) || codeAttributes.has(name)) return true
  return animationElements.has(element) && animationAttributes.has(name)
}

function findURLKind(element: string, name: string): AttributeKind | undefined {
  // SVG also has the older spelling `xlink:href`.
  const base = name.slice(name.indexOf(":") + 1)
  const elements = elementsByURLAttribute.get(base)
  if (!urlAttributes.has(base) && !elements?.has(element) && !(elements && element === "")) return undefined
  return (specialURLKinds.get(`${element}.${base}`) as AttributeKind | undefined) ?? "url"
}

/**
 * Returns the kind of an attribute by the names of the element and the attribute, both in lower case. The element `""`
 * stands for any element.
 *
 * @param rel the value of `rel` on the same element, if known. For an icon, `href` is an image.
 */
export function getAttributeKind(element: string, name: string, rel = ""): AttributeKind {
  if (name === "class" || name === "style") return name
  const isData = name.startsWith("data-")
  const base = isData ? name.slice(5) : name
  if (streamAttribute.test(base)) return "local"
  if (isCodeAttribute(element, base, isData)) return "code"
  if (base.startsWith("hx-")) return htmxKinds.get(removeModifiers(base)) ?? "htmx"
  if (srcsetAttributes.has(base)) return "srcset"
  if (isData) return dataURLAttributes.has(base) ? "url" : "plain"
  if (element === "link" && name === "href" && iconRel.test(rel)) return "image"
  if (name.startsWith("xmlns:") || name === "xml:base") return "url"
  return findURLKind(element, name) ?? getOtherKind(name)
}

function getOtherKind(name: string): AttributeKind {
  if (paintAttributes.has(name)) return "paint"
  return booleanAttributes.has(name) || name.startsWith("aria-") ? "boolean" : "plain"
}

/** Valid names of attributes: the HTML parser does not split them, and they are printed as written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: names have none. `\p{Cc}` would take 1 ms to parse.
export const attributeNamePattern = /^[^\s"'<>/={}`\x00-\x1f\x7f-\x9f]+$/
