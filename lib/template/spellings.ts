/** JSX names of HTML and SVG attributes that differ from the real ones, which browsers would ignore. */

/** Names of React and of the DOM, and the attribute for each. */
const others: Readonly<Record<string, string>> = {
  acceptCharset: "accept-charset",
  className: "class",
  classList: "class",
  defaultChecked: "checked",
  defaultValue: "value",
  htmlFor: "for",
  httpEquiv: "http-equiv",
  xlinkHref: "xlink:href",
  xmlLang: "xml:lang",
  xmlSpace: "xml:space",
  xmlnsXlink: "xmlns:xlink",
}

/** CSS properties that SVG has as attributes, with a dash between their words (SVG 2, §6.6). */
const dashed = new Set(
  (
    "alignmentBaseline baselineShift clipPath clipRule colorInterpolation colorInterpolationFilters dominantBaseline " +
    "fillOpacity fillRule floodColor floodOpacity fontFamily fontSize fontSizeAdjust fontStretch fontStyle fontVariant " +
    "fontWeight imageRendering letterSpacing lightingColor markerEnd markerMid markerStart pointerEvents shapeRendering " +
    "stopColor stopOpacity strokeDasharray strokeDashoffset strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity " +
    "strokeWidth textAnchor textDecoration textRendering transformOrigin unicodeBidi vectorEffect wordSpacing writingMode"
  ).split(" "),
)

const dash = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Returns the replacement of a JSX name; undefined for every other name. */
export function spellingFix(name: string): string | undefined {
  if (name === "dangerouslySetInnerHTML" || name === "innerHTML")
    return "Print trusted HTML between the tags: {raw(html)}, with raw from fw/html."
  const instead = Object.hasOwn(others, name)
    ? others[name]
    : dashed.has(name)
      ? dash(name)
      : /^aria[A-Z][a-zA-Z]*$/.test(name)
        ? `aria-${name.slice(4).toLowerCase()}`
        : undefined
  return instead === undefined ? undefined : `Write ${instead}, its name in HTML.`
}
