/** Finds scripts in templates that browsers do not run, because of the Content-Security-Policy of the main file. */

import { defaultPolicy } from "../../../lib/middleware/secure-headers.ts"
import { splitPolicyDirectives } from "../../../lib/request/header-grammar.ts"
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { findLineStarts, locate } from "../../../lib/scan/position.ts"
import type { Attribute, ElementNode, Node } from "../../../template/ast.ts"
import { findScriptLanguage } from "../../../template/check/elements.ts"
import { getChildBlocks } from "../../../template/check/node-facts.ts"
import { parseModule } from "../../../template/module.ts"
import { findClosing, isText } from "../../project/module-tokens.ts"
import { readLinkSources } from "../links/project-links.ts"
import { createWarning, type Finding } from "./finding.ts"
import { createTemplateCheck } from "./source-checks.ts"

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
export async function findBlockedScripts(root: string, main: ModuleText | null): Promise<Finding[]> {
  const policy = main && findPolicy(main)
  if (!policy || hasOtherPolicy(root, main.file)) return []
  const found: Finding[] = []
  for (const kind of ["script", "handler"] as const)
    if (isBlocking(policy, kind)) found.push(...(await checks[kind](root)))
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
function hasOtherPolicy(root: string, main: string): boolean {
  return readLinkSources(root).some(
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
  script: createTemplateCheck((file, text) =>
    /<script\b/i.test(text) ? findInTemplate(file, text, "script", findInlineScript) : [],
  ),
  handler: createTemplateCheck((file, text) =>
    /\son[a-z]+\s*=/i.test(text) ? findInTemplate(file, text, "handler", findHandler) : [],
  ),
}

/** Returns the offset of a blocked part of an element; null if it has none. */
type FindPart = (element: ElementNode) => number | null

function findInTemplate(file: string, text: string, kind: Kind, find: FindPart): Finding[] {
  const offsets: number[] = []
  for (const part of parseModule(text).parts) if (part.kind === "template") collect(part.body, find, offsets)
  const starts = findLineStarts(text)
  const what = kind === "script" ? "this <script> has its code in the page" : "this attribute has code"
  const message = `${what}, which the Content-Security-Policy of the main file does not allow, so no browser runs it`
  return offsets.map((offset) => {
    const { line, column } = locate(starts, offset)
    return createWarning("blocked_script", { file, line: line + 1, column: column + 1 }, message, blockedFixes[kind])
  })
}

function collect(nodes: readonly Node[], find: FindPart, offsets: number[]): void {
  for (const node of nodes) {
    const offset = node.kind === "element" ? find(node) : null
    if (offset !== null) offsets.push(offset)
    for (const block of getChildBlocks(node)) collect(block, find, offsets)
  }
}

function findInlineScript({ name, attributes, children, start }: ElementNode): number | null {
  if (name.toLowerCase() !== "script" || children.length === 0) return null
  if (attributes.some((one) => one.kind === "spread" || /^(?:src|nonce)$/i.test(one.name))) return null
  const type = attributes.find((one) => one.kind !== "spread" && one.name.toLowerCase() === "type")
  return /^(?:javascript|importmap)$/.test(type ? findScriptLanguage(readText(type) ?? "other") : "javascript")
    ? start
    : null
}

function findHandler({ attributes }: ElementNode): number | null {
  const handler = attributes.find((one) => one.kind !== "spread" && /^on[a-z]+$/i.test(one.name))
  return handler?.start ?? null
}

/** Returns the value of an attribute; undefined for one that is computed. */
function readText(attribute: Attribute): string | undefined {
  return attribute.kind === "literal" ? (attribute.value ?? "").replace(/^(["'])(.*)\1$/s, "$2") : undefined
}
