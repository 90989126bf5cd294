/**
 * Checks the values of security headers. Browsers ignore a value that they do not understand, so nobody would notice
 * that the protection is missing.
 */
import { listElements, splitPolicyDirectives, trimBlanks, unquoteText } from "../request/header-grammar.ts"
import { shortenText } from "../text.ts"

/** What is wrong with a value, as the end of the sentence "a value that …", and how to write the value. */
export type ValueProblem = readonly [what: string, fix: string]

/** Returns what is wrong with the value of an option; null if it is valid. */
export function findValueProblem(option: string, value: string): ValueProblem | null {
  if (/[^\t\x20-\x7e]/.test(value)) return ["has a character beyond ASCII", "Write quotes as ' and \"."]
  return valueChecks[option]?.(value) ?? null
}

type ValueCheck = (value: string) => ValueProblem | null

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
const flashPolicies = ["none", "none-this-response", "master-only", "by-content-type", "by-ftp-filename", "all"]

/**
 * The parameter of a structured field that names a reporting endpoint (RFC 9651 §3.1.2). Its name is in lower case, and
 * no blank is before the semicolon.
 */
const reportParameter = /^; *report-to="[^"\\]*"$/

/**
 * The check for each option. The calls are marked as pure, so that a bundle without `secureHeaders()` does not contain
 * this file.
 */
const valueChecks: Readonly<Record<string, ValueCheck>> = {
  contentSecurityPolicy: findContentSecurityProblem,
  crossOriginEmbedderPolicy: /* @__PURE__ */ createWordCheck(embedderPolicies, reportParameter),
  crossOriginOpenerPolicy: /* @__PURE__ */ createWordCheck(openerPolicies, reportParameter),
  crossOriginResourcePolicy: /* @__PURE__ */ createWordCheck(resourcePolicies),
  originAgentCluster: /* @__PURE__ */ createWordCheck(["?1", "?0"]),
  permissionsPolicy: findPermissionsProblem,
  referrerPolicy: findReferrerProblem,
  strictTransportSecurity: findTransportProblem,
  xContentTypeOptions: /* @__PURE__ */ createWordCheck(["nosniff"]),
  xFrameOptions: (value) => createWordCheck(["DENY", "SAMEORIGIN"])(value.toUpperCase()),
  xPermittedCrossDomainPolicies: /* @__PURE__ */ createWordCheck(flashPolicies),
}

/** Returns a check for a value that begins with one of some words. `restPattern` matches the rest of the value. */
function createWordCheck(words: readonly string[], restPattern = /^$/): ValueCheck {
  return (text) => {
    const [, word = "", rest = ""] = /^([^;]*)(.*)$/s.exec(text) ?? []
    if (words.includes(word) && (rest === "" || restPattern.test(rest))) return null
    return ["is not one that browsers know", `Write ${formatChoice(words)}, or false.`]
  }
}

function formatChoice(words: readonly string[]): string {
  const texts = words.map((word) => JSON.stringify(word))
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`
}

/** Checks a list of policies (Referrer Policy §4.1). A browser uses the last one that it knows. */
function findReferrerProblem(value: string): ValueProblem | null {
  const policies = listElements(value.toLowerCase())
  const unknown = policies.find((word) => !referrerPolicies.includes(word))
  if (unknown === undefined && policies.length > 0 && new Set(policies).size === policies.length) return null
  return [
    unknown === undefined ? "has a policy twice, or none" : `has ${quoteExcerpt(unknown)}, which browsers do not know`,
    `Write ${formatChoice(referrerPolicies)}.`,
  ]
}

/** Checks a list of directives, each at most once, in any order. `max-age` is required (RFC 6797 §6.1). */
function findTransportProblem(value: string): ValueProblem | null {
  const fix = 'Write "max-age=31536000; includeSubDomains", with seconds.'
  if (value.includes(",")) return ["has a comma", fix]
  const seenNames = new Set<string>()
  for (const piece of splitPolicyDirectives(value)) {
    const [, name = "", age] = /^([^=]*)(?:=(.*))?$/s.exec(piece.toLowerCase()) ?? []
    if (seenNames.has(name)) return [`has ${name} twice`, fix]
    seenNames.add(name)
    const isValid =
      name === "max-age"
        ? /^\d+$/.test(unquoteText(trimBlanks(age ?? "")))
        : ["includesubdomains", "preload"].includes(name) && age === undefined
    if (!isValid) return [`has ${quoteExcerpt(piece)}, which browsers do not understand`, fix]
  }
  return seenNames.has("max-age") ? null : ["has no max-age", fix]
}

function toWords(text: string): ReadonlySet<string> {
  return new Set(text.split(" "))
}

/** The directives of a Content-Security-Policy that take a list of sources. */
const sourceDirectives = /* @__PURE__ */ toWords(
  "base-uri child-src connect-src default-src fenced-frame-src font-src form-action frame-ancestors frame-src img-src " +
    "manifest-src media-src object-src prefetch-src script-src script-src-attr script-src-elem style-src style-src-attr " +
    "style-src-elem worker-src",
)
const otherDirectives = /* @__PURE__ */ toWords(
  "block-all-mixed-content report-to report-uri require-trusted-types-for sandbox trusted-types " +
    "upgrade-insecure-requests webrtc",
)

/** The keywords in a list of sources (CSP Level 3 §2.3.1). They are written in single quotes. */
const sourceKeywords = /* @__PURE__ */ toWords(
  "none self unsafe-inline unsafe-eval unsafe-hashes unsafe-allow-redirects strict-dynamic report-sample " +
    "wasm-unsafe-eval trusted-types-eval inline-speculation-rules report-sha256 report-sha384 report-sha512",
)
const schemeName = /^(?:https?|wss?|data|blob|filesystem|mediastream)$/i
const nonceOrHash = /^(?:nonce|(?:url-|eval-)?sha(?:256|384|512))-[\w+/-]+={0,2}$/i

function findContentSecurityProblem(value: string): ValueProblem | null {
  const fix = `Write sources with spaces between them, and a semicolon after each directive: "default-src 'self'; img-src 'self' data:".`
  if (value.includes(",")) return ["has a comma, which begins another policy", fix]
  const seenNames = new Set<string>()
  for (const directive of splitPolicyDirectives(value)) {
    const [directiveName = "", ...sources] = directive.split(/\s+/)
    const name = directiveName.toLowerCase()
    if (!sourceDirectives.has(name) && !otherDirectives.has(name))
      return [`has the directive ${quoteExcerpt(directiveName)}, which browsers do not know`, fix]
    if (seenNames.has(name))
      return [`has ${name} twice, and browsers ignore the second`, "Write all sources after one."]
    seenNames.add(name)
    const problem = sourceDirectives.has(name) ? findSourcesProblem(name, sources) : findWordsProblem(name, sources)
    if (problem) return problem
  }
  return seenNames.size > 0 ? null : ["has no directive", fix]
}

function findSourcesProblem(name: string, sources: readonly string[]): ValueProblem | null {
  if (sources.length === 0) return [`has no sources for ${name}`, `Write "${name} 'none'" if it has none.`]
  for (const source of sources) {
    const unquotedSource = source.replace(/['"]/g, "")
    const keyword = unquotedSource.toLowerCase()
    const isQuoted = /^'[^'"]+'$/.test(source)
    const isKeyword = sourceKeywords.has(keyword) || nonceOrHash.test(keyword) || keyword === "nonce"
    if (isKeyword && !isQuoted)
      return [`has ${quoteExcerpt(source)} for ${name} without single quotes`, `Write "${name} '${unquotedSource}'".`]
    if (!isKeyword && /['"]/.test(source))
      return [
        `has ${quoteExcerpt(source)} for ${name}, which browsers do not know`,
        "Write hosts and schemes without quotes.",
      ]
    if (schemeName.test(source))
      return [`has ${quoteExcerpt(source)} for ${name}, which is a host without a colon`, `Write "${source}:".`]
  }
  if (sources.length > 1 && sources.some((source) => source.toLowerCase() === "'none'"))
    return [`has 'none' for ${name} next to other sources, which then counts for nothing`, "Write one or the other."]
  return null
}

/**
 * The values of directives that take no sources. They are checked, because browsers ignore a directive that they cannot
 * read.
 */
const directiveWords: Readonly<Record<string, [word: RegExp, isNeeded: boolean, example: string]>> = {
  "report-to": [/^[\w-]+$/, true, "report-to endpoint"],
  "report-uri": [/^[^'"]+$/, true, "report-uri /reports"],
  "require-trusted-types-for": [/^'script'$/, true, "require-trusted-types-for 'script'"],
  sandbox: [/^allow-[a-z-]+$/, false, "sandbox allow-forms allow-scripts"],
  "upgrade-insecure-requests": [/^$/, false, "upgrade-insecure-requests"],
}

function findWordsProblem(name: string, words: readonly string[]): ValueProblem | null {
  const [word, isRequired, example] = directiveWords[name] ?? [/./, false]
  if (words.every((one) => word.test(one)) && !(isRequired && words.length === 0)) return null
  return [`has a ${name} that browsers do not understand`, `Write "${example}".`]
}

/** A feature, `=`, the origins that may use it, and an optional endpoint for reports. */
const featurePattern =
  /^([a-z*][a-z\d_.*-]*)=(?:\*|self|\((?: *(?:\*|self|src|"[^"\s]+")(?=[ )]))* *\))(?:; *report-to=(?:[A-Za-z][\w.-]*|"[^"\\]*"))?$/

/** Checks a dictionary (RFC 9651 §3.2) of features and the origins that may use them (Permissions Policy §5.2). */
function findPermissionsProblem(value: string): ValueProblem | null {
  const fix = 'Write "camera=(), geolocation=(self \\"https://maps.example\\"), fullscreen=*".'.replaceAll("\\", "")
  if (/^[ \t]*,|,[ \t]*(?:,|$)/.test(value)) return ["has an empty element, so that browsers ignore all of it", fix]
  const seenNames = new Set<string>()
  for (const member of listElements(value)) {
    const [, name] = featurePattern.exec(member) ?? []
    if (name === undefined) return [`has ${quoteExcerpt(member)}, which browsers do not understand`, fix]
    if (seenNames.has(name)) return [`has ${name} twice`, fix]
    seenNames.add(name)
  }
  return seenNames.size > 0 ? null : ["has no feature", fix]
}

function quoteExcerpt(text: string): string {
  return JSON.stringify(shortenText(text))
}
