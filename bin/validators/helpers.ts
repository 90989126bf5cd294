/** The code of functions that generated validators share. Only the used ones are written. */

/** The code of a helper, and the helpers that it calls. */
interface Helper {
  readonly text: string
  readonly uses?: readonly string[]
}

/**
 * How deeply a value of a recursive type may be nested. A deeper value is refused, because it could exhaust the
 * stack.
 */
export const maxLevels = 500
/** The largest number of issues to list for a value. */
export const maxIssues = 20
/** The largest number of characters in the paths of all issues together. */
const maxPathLength = 4000
/** The longest number to show in a message, in characters. */
const maxNumberLength = 30
/** The longest key in a path, in characters. A client may send keys of any length. */
const maxKeyLength = 80

export const helpers: Readonly<Record<string, Helper>> = {
  describeKind: {
    text: `function describeKind(v) {
  switch (typeof v) {
    case "string": return "a string"
    case "number": return Number.isFinite(v) ? "a number" : "a number that is not finite"
    case "boolean": return "a boolean"
    case "undefined": return "nothing"
    case "object": break
    default: return "a " + typeof v
  }
  if (v === null) return "null"
  if (Array.isArray(v)) return "an array"
  return typeof v.arrayBuffer === "function" ? "a file" : "an object"
}`,
  },
  // A path is a single list that changes while a value is visited. Issues get a copy of it.
  fail: {
    uses: ["describeKind"],
    text: `function fail(o, p, message, v) {
  if (!isFull(o)) report(o, p.slice(), addKind(message, v))
}
function miss(o, p, key, message, v) {
  if (!isFull(o)) report(o, p.length === 0 ? [key] : [...p, key], addKind(message, v))
}
function addKind(message, v) {
  const kind = describeKind(v)
  if (/^expected (?:a number|an integer|-?\\d)/.test(message)) {
    // What a client sends is quoted only if it is a number: a text may be a secret.
    const number = typeof v === "bigint" || Number.isFinite(v) ? String(v) : ""
    if (number !== "" && number.length <= ${maxNumberLength}) return message + number
  }
  return message + (message.startsWith(kind, "expected ".length) ? kind.replace(/^an? /, "another ") : kind)
}
function report(o, path, message) {
  for (let i = 0; i < path.length; i++) {
    const key = path[i]
    if (typeof key === "string" && key.length > ${maxKeyLength}) path[i] = key.slice(0, ${maxKeyLength}) + "…"
    o.size += 4 + (typeof key === "string" ? path[i].length : String(key).length)
  }
  o.list.push({ message, path })
}
function isFull(o) {
  return o.list.length >= ${maxIssues} || o.size > ${maxPathLength}
}
function refuse(why, v) {
  const o = { list: [], size: 0 }
  why(v, [], o, 0)
  if (isFull(o)) o.list.push({ message: "there may be more issues, which are not listed", path: [] })
  if (o.list.length === 0) o.list.push({ message: "the value is not valid", path: [] })
  return { issues: o.list }
}`,
  },
  catchTooDeep: {
    text: `function catchTooDeep(error) {
  if (!(error instanceof RangeError)) throw error
  return { issues: [{ message: "expected at most ${maxLevels} levels, got more", path: [] }] }
}`,
  },
  failTooDeep: {
    uses: ["fail"],
    text: `function failTooDeep(o, p) {
  if (!isFull(o)) report(o, p.slice(), "expected at most ${maxLevels} levels, got more")
}`,
  },
  getOwn: {
    text: `function getOwn(v, key) {
  return Object.hasOwn(v, key) ? v[key] : undefined
}`,
  },
  put: {
    text: `function put(out, key, value) {
  if (key === "__proto__") Object.defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true })
  else out[key] = value
}`,
  },
  combine: {
    uses: ["put"],
    text: `function combine(a, b) {
  return a === undefined ? b : b === undefined ? a : merge(a, b)
}
function merge(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || a === b) return a
  if (Array.isArray(a)) {
    if (Array.isArray(b)) for (let i = 0; i < a.length; i++) a[i] = merge(a[i], b[i])
    return a
  }
  if (!isPlain(a) || !isPlain(b)) return a
  for (const key of Object.keys(b)) put(a, key, Object.hasOwn(a, key) ? merge(a[key], b[key]) : b[key])
  return a
}
function isPlain(v) {
  const proto = Object.getPrototypeOf(v)
  return !Array.isArray(v) && (proto === Object.prototype || proto === null)
}`,
  },
  matchesGlob: {
    text: `function matchesGlob(x, parts) {
  const last = parts.length - 1
  if (!x.startsWith(parts[0]) || !x.endsWith(parts[last])) return false
  let at = parts[0].length
  for (let i = 1; i < last; i++) {
    const found = x.indexOf(parts[i], at)
    if (found < 0) return false
    at = found + parts[i].length
  }
  return at + parts[last].length <= x.length
}`,
  },
  // All positions are tried at the same time, so the time is linear. A regular expression with several wildcards
  // would backtrack.
  matchesSteps: {
    text: `const classes = [, () => true, (c) => c >= 48 && c <= 57, (c) => c === 43 || c === 45, (c) => c === 69 || c === 101]
function matchesSteps(x, steps) {
  let open = new Set()
  const add = (set, at) => {
    while (!set.has(at)) {
      set.add(at)
      const skip = at < steps.length ? steps[at][2] : 0
      if (skip === 0) return
      at += skip
    }
  }
  add(open, 0)
  for (let i = 0; i < x.length && open.size > 0; i++) {
    const code = x.charCodeAt(i)
    const next = new Set()
    for (const at of open) {
      if (at === steps.length) continue
      const [wanted, loops] = steps[at]
      if (wanted >= 0 ? code !== wanted : !classes[-wanted](code)) continue
      if (loops) add(next, at)
      add(next, at + 1)
    }
    open = next
  }
  return open.has(steps.length)
}`,
  },
  countPoints: {
    text: `function countPoints(x) {
  let n = 0
  for (const _ of x) n++
  return n
}`,
  },
  isMultiple: {
    text: `function isMultiple(x, of) {
  const times = x / of
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
}`,
  },
}
