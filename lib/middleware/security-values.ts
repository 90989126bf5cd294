/**
 * Checks the values of security headers. Browsers ignore one that they do not understand, so a mistake would be a
 * missing protection that nobody sees.
 */
import { listElements, policyDirectives, trimBlanks, unquoted } from "../request/header-grammar.ts"
import { excerpt } from "../text.ts"

/** A problem of a value, as it follows "a value that", and how to write the value. */
export type ValueProblem = readonly [what: string, fix: string]

/** Returns what is wrong with the value of an option; null if nothing is. */
export function problemOf(option: string, value: string): ValueProblem | null {
  if (/[^\t\x20-\x7e]/.test(value)) return ["has a character beyond ASCII", "Write quotes as ' and \"."]
  return checks[option]?.(value) ?? null
}

type Check = (value: string) => ValueProblem | null

const embedderPolicies = ["unsafe-none", "require-corp", "credentialless"]
const openerPolicies = ["unsafe-none", "same-origin-allow-popups", "same-origin", "noopener-allow-popups"]
const resourcePolicies = ["same-origin", "same-site", "cross-origin"]
const referrerPolicies = [
  "no-referrer",
  "no-referrer-when-downgrade",
  "origin",
  "origin-when-cross-origin",
  "same-origin",
  "strict-origin",
  "strict-origin-when-cross-origin",
  "unsafe-url",
]
const flashPolicies = [
  "none",
  "none-this-response",
  "master-only",
  "by-content-type",
  "by-ftp-filename",
  "all",
]

/** A parameter of a structured field (RFC 9651 §3.1.2): in lower case, and without a blank before the semicolon. */
const report = /^; *report-to="[^"\\]*"$/

const checks: Readonly<Record<string, Check>> = {
  contentSecurityPolicy: contentSecurityProblem,
  crossOriginEmbedderPolicy: oneOf(embedderPolicies, report),
  crossOriginOpenerPolicy: oneOf(openerPolicies, report),
  crossOriginResourcePolicy: oneOf(resourcePolicies),
  originAgentCluster: oneOf(["?1", "?0"]),
  permissionsPolicy: permissionsProblem,
  referrerPolicy: referrerProblem,
  strictTransportSecurity: transportProblem,
  xContentTypeOptions: oneOf(["nosniff"]),
  xFrameOptions: (value) => oneOf(["DENY", "SAMEORIGIN"])(value.toUpperCase()),
  xPermittedCrossDomainPolicies: oneOf(flashPolicies),
}

/** Returns the check for one of some words, and what may follow it. */
function oneOf(words: readonly string[], more = /^$/): Check {
  return (text) => {
    const [, word = "", rest = ""] = /^([^;]*)(.*)$/s.exec(text) ?? []
    if (words.includes(word) && (rest === "" || more.test(rest))) return null
    return ["is not one that browsers know", `Write ${choice(words)}, or false.`]
  }
}

function choice(words: readonly string[]): string {
  const texts = words.map((word) => JSON.stringify(word))
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`
}

/** Referrer Policy §4.1: a list, of which the last one that a browser knows counts. */
function referrerProblem(value: string): ValueProblem | null {
  const given = listElements(value.toLowerCase())
  const unknown = given.find((word) => !referrerPolicies.includes(word))
  if (unknown === undefined && given.length > 0 && new Set(given).size === given.length) return null
  return [
    unknown === undefined
      ? "has a policy twice, or none"
      : `has ${quote(unknown)}, which browsers do not know`,
    `Write ${choice(referrerPolicies)}.`,
  ]
}

/** RFC 6797 §6.1: directives in any order, each once, of which `max-age` is required. */
function transportProblem(value: string): ValueProblem | null {
  const fix = 'Write "max-age=31536000; includeSubDomains", with seconds.'
  if (value.includes(",")) return ["has a comma", fix]
  const seen = new Set<string>()
  for (const piece of policyDirectives(value)) {
    const [, name = "", age] = /^([^=]*)(?:=(.*))?$/s.exec(piece.toLowerCase()) ?? []
    if (seen.has(name)) return [`has ${name} twice`, fix]
    seen.add(name)
    const isValid =
      name === "max-age"
        ? /^\d+$/.test(unquoted(trimBlanks(age ?? "")))
        : ["includesubdomains", "preload"].includes(name) && age === undefined
    if (!isValid) return [`has ${quote(piece)}, which browsers do not understand`, fix]
  }
  return seen.has("max-age") ? null : ["has no max-age", fix]
}

/** The directives of a policy that take sources. */
const withSources = new Set(
  (
    "base-uri child-src connect-src default-src fenced-frame-src font-src form-action frame-ancestors frame-src img-src " +
    "manifest-src media-src object-src prefetch-src script-src script-src-attr script-src-elem style-src style-src-attr " +
    "style-src-elem worker-src"
  ).split(" "),
)
const withOthers = new Set(
  (
    "block-all-mixed-content report-to report-uri require-trusted-types-for sandbox trusted-types " +
    "upgrade-insecure-requests webrtc"
  ).split(" "),
)

/** CSP Level 3 §2.3.1: the keywords of sources, which are written in single quotes. */
const keywords = new Set(
  (
    "none self unsafe-inline unsafe-eval unsafe-hashes unsafe-allow-redirects strict-dynamic report-sample " +
    "wasm-unsafe-eval trusted-types-eval inline-speculation-rules report-sha256 report-sha384 report-sha512"
  ).split(" "),
)
const schemes = /^(?:https?|wss?|data|blob|filesystem|mediastream)$/i
const nonceOrHash = /^(?:nonce|(?:url-|eval-)?sha(?:256|384|512))-[\w+/-]+={0,2}$/i

function contentSecurityProblem(value: string): ValueProblem | null {
  const fix = `Write sources with spaces between them, and a semicolon after each directive: "default-src 'self'; img-src 'self' data:".`
  if (value.includes(",")) return ["has a comma, which begins another policy", fix]
  const seen = new Set<string>()
  for (const directive of policyDirectives(value)) {
    const [given = "", ...sources] = directive.split(/\s+/)
    const name = given.toLowerCase()
    if (!withSources.has(name) && !withOthers.has(name))
      return [`has the directive ${quote(given)}, which browsers do not know`, fix]
    if (seen.has(name))
      return [`has ${name} twice, and browsers ignore the second`, "Write all sources after one."]
    seen.add(name)
    const problem = withSources.has(name) ? sourcesProblem(name, sources) : wordsProblem(name, sources)
    if (problem) return problem
  }
  return seen.size > 0 ? null : ["has no directive", fix]
}

function sourcesProblem(name: string, sources: readonly string[]): ValueProblem | null {
  if (sources.length === 0) return [`has no sources for ${name}`, `Write "${name} 'none'" if it has none.`]
  for (const source of sources) {
    const plain = source.replace(/['"]/g, "")
    const bare = plain.toLowerCase()
    const isQuoted = /^'[^'"]+'$/.test(source)
    const isKeyword = keywords.has(bare) || nonceOrHash.test(bare) || bare === "nonce"
    if (isKeyword && !isQuoted)
      return [`has ${quote(source)} for ${name} without single quotes`, `Write "${name} '${plain}'".`]
    if (!isKeyword && /['"]/.test(source))
      return [
        `has ${quote(source)} for ${name}, which browsers do not know`,
        "Write hosts and schemes without quotes.",
      ]
    if (schemes.test(source))
      return [`has ${quote(source)} for ${name}, which is a host without a colon`, `Write "${source}:".`]
  }
  if (sources.length > 1 && sources.some((source) => source.toLowerCase() === "'none'"))
    return [
      `has 'none' for ${name} next to other sources, which then counts for nothing`,
      "Write one or the other.",
    ]
  return null
}

/** Values of directives that have no sources: a policy that browsers cannot read protects from nothing. */
const words: Readonly<Record<string, [word: RegExp, isNeeded: boolean, example: string]>> = {
  "report-to": [/^[\w-]+$/, true, "report-to endpoint"],
  "report-uri": [/^[^'"]+$/, true, "report-uri /reports"],
  "require-trusted-types-for": [/^'script'$/, true, "require-trusted-types-for 'script'"],
  sandbox: [/^allow-[a-z-]+$/, false, "sandbox allow-forms allow-scripts"],
  "upgrade-insecure-requests": [/^$/, false, "upgrade-insecure-requests"],
}

function wordsProblem(name: string, given: readonly string[]): ValueProblem | null {
  const [word, isNeeded, example] = words[name] ?? [/./, false]
  if (given.every((one) => word.test(one)) && !(isNeeded && given.length === 0)) return null
  return [`has a ${name} that browsers do not understand`, `Write "${example}".`]
}

/** A feature, `=`, who may use it, and where reports go. */
const feature =
  /^([a-z*][a-z\d_.*-]*)=(?:\*|self|\((?: *(?:\*|self|src|"[^"\s]+")(?=[ )]))* *\))(?:; *report-to=(?:[A-Za-z][\w.-]*|"[^"\\]*"))?$/

/** Permissions Policy §5.2: a dictionary (RFC 9651 §3.2) of features and their origins. */
function permissionsProblem(value: string): ValueProblem | null {
  const fix = 'Write "camera=(), geolocation=(self \\"https://maps.example\\"), fullscreen=*".'.replaceAll(
    "\\",
    "",
  )
  if (/^[ \t]*,|,[ \t]*(?:,|$)/.test(value))
    return ["has an empty element, so that browsers ignore all of it", fix]
  const seen = new Set<string>()
  for (const member of listElements(value)) {
    const [, name] = feature.exec(member) ?? []
    if (name === undefined) return [`has ${quote(member)}, which browsers do not understand`, fix]
    if (seen.has(name)) return [`has ${name} twice`, fix]
    seen.add(name)
  }
  return seen.size > 0 ? null : ["has no feature", fix]
}

function quote(text: string): string {
  return JSON.stringify(excerpt(text))
}
