/** Names of new projects: each is a directory's and a package's alike. Called by `fw new`. */
import { isBuiltin } from "node:module"
import { FwError } from "../../lib/errors.ts"

/** Windows keeps these names for devices, also with an ending (Microsoft, "Naming Files, Paths, and Namespaces"). */
const devices = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/

/** npm refuses a package that depends on its own name, and these two names always. */
const taken = new Set(["fw", "esbuild", "typescript", "node_modules", "favicon.ico"])

/**
 * Checks a name by npm's rules (npm documentation, package.json: name), which are stricter than any file system's.
 *
 * @throws FwError `name` that says which rule it breaks, and a name like it that is good.
 */
export function checkName(name: string): void {
  const why = problemOf(name)
  if (!why) return
  const better = nearName(name)
  let fix = better ? `Try: fw new ${better}` : "Write letters, digits and hyphens: fw new my-app"
  if (name === ".")
    fix = "Go up and name it: cd .. && fw new my-app. A directory that is there and empty will do."
  throw new FwError("name", `a project cannot be called ${JSON.stringify(name)}: ${why}`, fix)
}

/** What is wrong with a name, or null. */
function problemOf(name: string): string | null {
  if (name === "") return "a name has at least one letter"
  if (name === "." || name === "..") return "fw makes the directory of the project itself"
  if (/[/\\]/.test(name)) return "it is a path; run fw new in the directory that the project goes into"
  if (name.length > 214) return "a package's name has 214 characters at most"
  if (/[A-Z]/.test(name)) return "a package's name has no capital letters"
  if (/^[._-]/.test(name)) return `it begins with ${JSON.stringify(name[0])}`
  const [odd] = /[^a-z0-9._-]/u.exec(name) ?? []
  if (odd)
    return `${odd === " " ? "a space" : JSON.stringify(odd)} may stand neither in a package's name nor in an address`
  if (name.endsWith(".")) return "it ends with a dot, which Windows drops"
  if (devices.test(name)) return "Windows keeps that name for a device"
  if (taken.has(name)) return "a package of that name is needed in it, or npm keeps the name for itself"
  return isBuiltin(name) ? "Node has a module of that name" : null
}

/** A good name that is like a bad one, if there is one. */
function nearName(name: string): string | null {
  const last = name.split(/[/\\]/).filter(Boolean).at(-1) ?? ""
  const plain = last
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 60)
  const near = plain !== "" && problemOf(plain) !== null ? `my-${plain}` : plain
  return near !== "" && near !== name && problemOf(near) === null ? near : null
}

/** The name as a title: `my-shop` is "My shop". */
export function titleOf(name: string): string {
  const words = name.replace(/[._-]+/g, " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
