/** Recognises names of attributes that JSX and other languages use. Browsers would ignore them in HTML and SVG. */

import { Problem } from "../diagnostic.ts"

/** Names that React and the DOM use, with the right attributes. */
const domNames: Readonly<Record<string, string>> = {
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

/** CSS properties that are also attributes in SVG, with dashes between their words (SVG 2, §6.6). */
const dashedProperties = new Set(
  (
    "alignmentBaseline baselineShift clipPath clipRule colorInterpolation colorInterpolationFilters dominantBaseline " +
    "fillOpacity fillRule floodColor floodOpacity fontFamily fontSize fontSizeAdjust fontStretch fontStyle fontVariant " +
    "fontWeight imageRendering letterSpacing lightingColor markerEnd markerMid markerStart pointerEvents shapeRendering " +
    "stopColor stopOpacity strokeDasharray strokeDashoffset strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity " +
    "strokeWidth textAnchor textDecoration textRendering transformOrigin unicodeBidi vectorEffect wordSpacing writingMode"
  ).split(" "),
)

const toDashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** How to add an event listener. */
export const listenerFix = "Put an event listener into a file such as static/app.js, and load it with <script src>."
const bindingFix = "Write value={…} for the value that the page shows, and read what is sent in the route."

/** Attributes of Angular, Svelte, Solid and Astro. The compilers of these languages replace them. */
const compiledAttribute =
  /^(\*ng(?:If|For|Switch\w*)$|class:|style:|bind:|set:|define:|on:|use:|transition:|client:|\[\(|\[|\()/
const compiledFixes: Readonly<Record<string, string>> = {
  "*ngIf": "Write {if (…) { … }} around the element.",
  "*ngFor": "Write {for (const item of items) { … }} around the element.",
  "class:": 'Write class={["a", condition && "b"]}.',
  "style:": "Write style={{ color: value }}.",
  "set:": "Print text between the tags, {value}, and trusted HTML with raw from fw/html, {raw(html)}.",
  "define:": "Print the values in the script: const size = {{size}}.",
  "bind:": bindingFix,
  "[(": bindingFix,
  "[": "Write the name without brackets: href={url}.",
  "(": listenerFix,
  "on:": listenerFix,
  "use:": listenerFix,
  "transition:": "Write the transition in CSS.",
  "client:": "No component runs in the browser. Load a script with <script src>.",
}

/** Attributes of JSX that no HTML element has. Custom elements may have them, and Vue reads a quoted `key` or `ref`. */
const jsxFixes: Readonly<Record<string, string>> = {
  children: "Print markup between the tags.",
  key: "Remove it: no list in a page needs keys.",
  ref: "Remove it. A script finds the element by its id.",
  suppressHydrationWarning: "Remove it: fw does not hydrate pages.",
}

/** Attributes that some elements have only in other languages. */
const elementFixes: Readonly<Record<string, string>> = {
  "select value": "Select an option: <option value={id} selected={id === value}>.",
  "textarea value": "Print the text between the tags: <textarea>{value}</textarea>.",
}

/**
 * Throws for a name that belongs to another language.
 *
 * @param element the name of the element in lower case.
 * @param isCode true if the value is an expression.
 */
export function refuseSpelling(element: string, name: string, start: number, isCode: boolean): void {
  const elementFix = elementFixes[`${element} ${name.toLowerCase()}`]
  if (elementFix) throw new Problem(start, `<${element}> has no attribute "${name}"`, elementFix)
  const isVue = !isCode && (name === "key" || name === "ref")
  const isJSX = Object.hasOwn(jsxFixes, name) && !isVue && !element.includes("-")
  const fix = isJSX ? jsxFixes[name] : findSpellingFix(name)
  if (fix) throw new Problem(start, `HTML has no attribute "${name}"`, fix)
}

/** Returns what to write for a name of JSX, Angular, Svelte or Astro; undefined for any other name. */
function findSpellingFix(name: string): string | undefined {
  if (name === "dangerouslySetInnerHTML" || name === "innerHTML")
    return "Print trusted HTML between the tags: {raw(html)}, with raw from fw/html."
  const [, mark] = compiledAttribute.exec(name) ?? []
  if (mark !== undefined) return compiledFixes[mark] ?? "Write {switch (…) { … }} around the element."
  const htmlName = Object.hasOwn(domNames, name)
    ? domNames[name]
    : dashedProperties.has(name)
      ? toDashed(name)
      : /^aria[A-Z][a-zA-Z]*$/.test(name)
        ? `aria-${name.slice(4).toLowerCase()}`
        : undefined
  return htmlName === undefined ? undefined : `Write ${htmlName}, its name in HTML.`
}
