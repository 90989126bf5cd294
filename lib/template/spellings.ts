/** Names of attributes in JSX and other languages that differ from those of HTML and SVG, which browsers would ignore. */

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

/** Attributes of Angular, Svelte and Astro, which their compilers replace. */
const compiled = /^(\*ng(?:If|For|Switch\w*)$|class:|style:|bind:|set:|define:)/
const compiledFixes: Readonly<Record<string, string>> = {
  "*ngIf": "Write {if (…) { … }} around the element.",
  "*ngFor": "Write {for (const item of items) { … }} around the element.",
  "class:": 'Write class={["a", condition && "b"]}.',
  "style:": "Write style={{ color: value }}.",
  "set:": "Print text between the tags, {value}, and trusted HTML with raw from fw/html, {raw(html)}.",
  "define:": "Print the values in the script: const size = {{size}}.",
  "bind:": "Write value={…} for the value that the page shows, and read what is sent in the route.",
}

/** Returns the replacement of a name of JSX, Angular, Svelte or Astro; undefined for every other name. */
export function spellingFix(name: string): string | undefined {
  if (name === "dangerouslySetInnerHTML" || name === "innerHTML")
    return "Print trusted HTML between the tags: {raw(html)}, with raw from fw/html."
  const [, mark] = compiled.exec(name) ?? []
  if (mark !== undefined) return compiledFixes[mark] ?? "Write {switch (…) { … }} around the element."
  const instead = Object.hasOwn(others, name)
    ? others[name]
    : dashed.has(name)
      ? dash(name)
      : /^aria[A-Z][a-zA-Z]*$/.test(name)
        ? `aria-${name.slice(4).toLowerCase()}`
        : undefined
  return instead === undefined ? undefined : `Write ${instead}, its name in HTML.`
}
