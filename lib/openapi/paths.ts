/**
 * Paths of the document: patterns with every catch-all as a parameter. No two paths differ only in parameter
 * names.
 */
import { byCodeUnit } from "../order.ts"
import { type Pattern, parsePattern, patternShape } from "../pattern.ts"

/** The path of a route in the document. */
export interface DocumentPath {
  /** A path such as `/api/docs/{slug}`. */
  readonly path: string
  readonly params: readonly PathParam[]
}

/** A parameter of a path. */
export interface PathParam {
  /** Name in the document. */
  readonly name: string
  /** Name in the handler. */
  readonly own: string
  /** True if it takes the rest of the path. */
  readonly rest: boolean
}

/**
 * Assigns a path to each pattern. Patterns come in a stable order, so the first of several with one shape
 * names the parameters.
 */
export class Paths {
  readonly #byShape = new Map<string, DocumentPath>()
  /** The first path of each shape, without the names of its parameters. */
  readonly #made = new Map<string, DocumentPath>()

  /**
   * Returns the path of a pattern.
   *
   * @param rest the name of a final `*`.
   */
  of(text: string, rest = "*"): DocumentPath {
    const pattern = parsePattern(text)
    const shape = patternShape(pattern)
    const known = this.#byShape.get(shape)
    const own = pattern.names.map((name) => (name === "*" ? rest : name))
    if (known) {
      const params = known.params.map((param, i) => ({ ...param, own: own[i] ?? param.own }))
      return { path: known.path, params }
    }
    const made = this.#make(pattern, rest)
    this.#byShape.set(shape, made)
    return made
  }

  #make(pattern: Pattern, rest: string): DocumentPath {
    const taken = new Set<string>()
    const params: PathParam[] = []
    const texts = pattern.text.split("/").slice(1)
    const parts = pattern.segments.map((segment, i) => {
      if (segment.kind === "static") return texts[i]
      const own = segment.kind === "rest" && segment.name === "*" ? rest : segment.name
      const name = freeName(own === "*" ? "path" : own, taken)
      params.push({ name, own, rest: segment.kind === "rest" })
      return `{${name}}`
    })
    return this.#apart({ path: `/${parts.join("/")}`, params })
  }

  /**
   * Separates a catch-all from a parameter of the same shape: it gets one more segment, because the parameter
   * takes paths with one.
   */
  #apart(made: DocumentPath): DocumentPath {
    const shape = made.path.replace(/\{[^{}]*\}/g, "{}")
    const known = this.#made.get(shape)
    if (!known) {
      this.#made.set(shape, made)
      return made
    }
    const { path, params } = known
    const last = made.params.at(-1) as PathParam
    const head = { ...(params.at(-1) as PathParam), own: "", rest: false }
    const tail = head.name === last.name ? { ...last, name: `${last.name}Rest` } : last
    return this.#apart({ path: `${path}/{${tail.name}}`, params: [...params.slice(0, -1), head, tail] })
  }
}

function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}${n}`
  taken.add(free)
  return free
}

/** Compares patterns so that parameters come before catch-alls in the same place. */
export function paramsFirst(a: string, b: string): number {
  const [one, two] = [a.endsWith("/*"), b.endsWith("/*")]
  return one === two ? byCodeUnit(a, b) : one ? 1 : -1
}
