/** Finds scripts in templates that browsers do not run, because of the Content-Security-Policy of the main file. */

import { defaultPolicy } from "../../../lib/middleware/secure-headers.ts"
import { splitPolicyDirectives } from "../../../lib/request/header-grammar.ts"
import type { ModuleText } from "../../../lib/scan/exports.ts"
import type { ElementNode } from "../../../template/ast.ts"
import { findScriptLanguage } from "../../../template/check/elements.ts"
import { findAttribute, listNodes, readLiteral } from "../../../template/check/node-facts.ts"
import { parseModule } from "../../../template/module.ts"
import { findClosing, isText } from "../../project/module-tokens.ts"
import type { LinkSource } from "../links/project-links.ts"
import type { Finding } from "./finding.ts"
import { createTemplateCheck, type SourceProblem } from "./source-checks.ts"

/** The fixes for a blocked script, and for blocked code in an attribute. The page of `fw dev` shows the same fixes. */
export const blockedFixes = {
  script:
    'Put the code into a file such as static/app.js, and load it: <script src="/static/app.js" defer></script>. Or use a nonce: docs/reference/middleware.md, "Security headers".',
  handler:
    'Put a listener into a file such as static/app.js: document.querySelector("button").addEventListener("click", …). Load it with <script src="/static/app.js" defer></script>.',
}

/** The directives for each kind of code. The first of them that a policy has decides (CSP Level 3 §6.8.3). */
const directives = {
  script: ["script-src-elem", "script-src", "default-src"],
  handler: ["script-src-attr", "script-src", "default-src"],
}

type Kind = keyof typeof directives

/**
 * Returns a warning for each script that the policy blocks; none if the policy is not known before the program runs.
 */
export async function findBlockedScripts(sources: readonly LinkSource[], main: ModuleText | null): Promise<Finding[]> {
  const policy = main && findPolicy(main)
  if (!policy || hasOtherPolicy(sources, main.file)) return []
  const found: Finding[] = []
  for (const kind of ["script", "handler"] as const)
    if (isBlocking(policy, kind)) found.push(...(await checks[kind](sources)))
  return found
}

/** Returns the policy that `secureHeaders()` of a main file sends; null if it sends none, or a computed one. */
function findPolicy({ tokens }: ModuleText): string | null {
  const call = tokens.findIndex(({ text }, at) => text === "secureHeaders" && tokens[at + 1]?.text === "(")
  if (call < 0) return null
  const options = tokens.slice(call + 2, findClosing(tokens, call + 1))
  const [first] = options
  if (first === undefined) return defaultPolicy
  const at = options.findIndex(({ text }) => text === "contentSecurityPolicy")
  if (first.text !== "{" || options.some(({ text }) => text === "...")) return null
  if (at < 0) return defaultPolicy
  const end = options.findIndex(({ text }, index) => index > at && (text === "," || text === "}"))
  const value = options.slice(at + 2, end)
  // The value of any other expression than strings joined by plus signs is not known here.
  if (!value.every((token, index) => (index % 2 === 0 ? isText(token) : token.text === "+"))) return null
  return value.flatMap((token) => (isText(token) ? token.text.slice(1, -1) : [])).join("")
}

/** Returns true if another module sets a policy, perhaps only for some routes. */
function hasOtherPolicy(sources: readonly LinkSource[], main: string): boolean {
  return sources.some(
    ({ file, text }) =>
      file !== main && /\.[cm]?[jt]sx?$/.test(file) && /secureHeaders\(|content-security-policy/i.test(text),
  )
}

function isBlocking(policy: string, kind: Kind): boolean {
  const byName = new Map(
    splitPolicyDirectives(policy).map((directive) => {
      const [name = "", ...sources] = directive.toLowerCase().split(/\s+/)
      return [name, sources] as const
    }),
  )
  const name = directives[kind].find((one) => byName.has(one))
  // A hash in the policy may be that of the script.
  return name !== undefined && !byName.get(name)?.some((source) => /^'(?:unsafe-inline|sha\d+-)/.test(source))
}

const checks = {
  script: createTemplateCheck((text) =>
    /<script\b/i.test(text)
      ? findBlocked(text, "script", "this <script> has its code in the page", findInlineScript)
      : [],
  ),
  handler: createTemplateCheck((text) =>
    /\son[a-z]+\s*=/i.test(text) ? findBlocked(text, "handler", "this attribute has code", findHandler) : [],
  ),
}

/** Returns the problem of each element that has a blocked part. The part is the element itself, or an attribute. */
function findBlocked(
  text: string,
  kind: Kind,
  what: string,
  findPart: (element: ElementNode) => { readonly start: number } | undefined,
): SourceProblem[] {
  const templates = parseModule(text).parts.filter((part) => part.kind === "template")
  const elements = templates.flatMap(({ body }) => listNodes(body)).filter((node) => node.kind === "element")
  return elements.flatMap((element) => {
    const part = findPart(element)
    const message = `${what}, which the Content-Security-Policy of the main file does not allow, so no browser runs it`
    return part ? [{ code: "blocked_script", offset: part.start, message, fix: blockedFixes[kind] }] : []
  })
}

function findInlineScript(element: ElementNode): ElementNode | undefined {
  const { name, attributes, children } = element
  if (name.toLowerCase() !== "script" || children.length === 0) return undefined
  if (attributes.some((one) => one.kind === "spread" || /^(?:src|nonce)$/i.test(one.name))) return undefined
  const type = findAttribute(element, "type")
  const language = type?.kind === "dynamic" ? "other" : findScriptLanguage(readLiteral(type) ?? "")
  return /^(?:javascript|importmap)$/.test(language) ? element : undefined
}

function findHandler({ attributes }: ElementNode) {
  return attributes.find((one) => one.kind !== "spread" && /^on[a-z]+$/i.test(one.name))
}
