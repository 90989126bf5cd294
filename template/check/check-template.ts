/** Checks of a parsed template that need the whole template. */

import type { Template } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import { type Header, refuseChildrenParameter } from "../parse/header.ts"
import type { Language } from "./elements.ts"
import { checkDocument } from "./xml-document.ts"

/** Checks a whole template: its parameters, those of a layout, and an XML document. @throws Problem */
export function checkTemplate(
  source: string,
  { body, name, printsChildren }: Template,
  header: Header,
  language: Language,
): void {
  if (language === "xml") checkDocument(body)
  if (name === "Layout" && language === "html") checkLayout(source, header)
  else checkParameters(header, printsChildren)
}

function checkParameters({ parameters }: Header, hasChildren: boolean): void {
  for (const { name, start, isOptional } of parameters) {
    if (name === "children") refuseChildrenParameter(start)
    if (!isOptional || !hasChildren) continue
    const fix = "The children come last: make every parameter before them required."
    throw new Problem(start, "a template that prints {children} takes no optional parameter", fix)
  }
}

function checkLayout(source: string, { parameters, generics }: Header): void {
  const fix = "Write template Layout(title: string, c: Context) { … }, or with one of the two, or none."
  if (generics.end > generics.start) throw new Problem(generics.start, "Layout has no type parameters", fix)
  for (const { name, start, isOptional, type } of parameters) {
    if (name === "children") refuseChildrenParameter(start)
    const isKnown = name === "title" || name === "c"
    if (!isKnown) throw new Problem(start, "Layout gets only its title and its context c", fix)
    if (isOptional) throw new Problem(start, `Layout always gets its ${name}`, fix)
    if (name !== "title" || !type || source.slice(type.start, type.end) === "string") continue
    throw new Problem(type.start, "the title of a layout is a string", fix)
  }
}
