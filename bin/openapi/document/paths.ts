/**
 * Paths of the document: patterns with every catch-all as a parameter. No two paths differ only in parameter
 * names.
 */
import { compareByCodeUnit } from "../../../lib/order.ts"
import { getPatternShape, type Pattern, parsePattern } from "../../../lib/pattern.ts"

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
  readonly handlerName: string
  /** True if it takes the rest of the path. */
  readonly isRest: boolean
}

/**
 * Assigns a path to each pattern. Patterns come in a stable order. If several have the same shape, the first one
 * names the parameters.
 */
export class DocumentPaths {
  readonly #byShape = new Map<string, DocumentPath>()
  /** The first path of each shape, without the names of its parameters. */
  readonly #byNamelessPath = new Map<string, DocumentPath>()

  /**
   * Returns the path of a pattern.
   *
   * @param rest the name of a final `*`.
   */
  getPath(text: string, rest = "*"): DocumentPath {
    const pattern = parsePattern(text)
    const shape = getPatternShape(pattern)
    const known = this.#byShape.get(shape)
    const own = pattern.names.map((name) => (name === "*" ? rest : name))
    if (known) {
      const params = known.params.map((param, i) => ({ ...param, handlerName: own[i] ?? param.handlerName }))
      return { path: known.path, params }
    }
    const made = this.#createPath(pattern, rest)
    this.#byShape.set(shape, made)
    return made
  }

  #createPath(pattern: Pattern, rest: string): DocumentPath {
    const takenNames = new Set<string>()
    const params: PathParam[] = []
    const texts = pattern.text.split("/").slice(1)
    const parts = pattern.segments.map((segment, i) => {
      if (segment.kind === "static") return texts[i]
      const handlerName = segment.kind === "rest" && segment.name === "*" ? rest : segment.name
      const name = takeFreeName(handlerName === "*" ? "path" : handlerName, takenNames)
      params.push({ name, handlerName, isRest: segment.kind === "rest" })
      return `{${name}}`
    })
    return this.#separate({ path: `/${parts.join("/")}`, params })
  }

  /**
   * Separates a catch-all from a parameter of the same shape. The catch-all gets one more segment, because the
   * parameter already takes paths with one segment.
   */
  #separate(made: DocumentPath): DocumentPath {
    const shape = made.path.replace(/\{[^{}]*\}/g, "{}")
    const known = this.#byNamelessPath.get(shape)
    if (!known) {
      this.#byNamelessPath.set(shape, made)
      return made
    }
    const { path, params } = known
    const last = made.params.at(-1) as PathParam
    const head = { ...(params.at(-1) as PathParam), handlerName: "", isRest: false }
    const tail = head.name === last.name ? { ...last, name: `${last.name}Rest` } : last
    return this.#separate({ path: `${path}/{${tail.name}}`, params: [...params.slice(0, -1), head, tail] })
  }
}

function takeFreeName(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}${n}`
  taken.add(free)
  return free
}

/** Compares patterns so that parameters come before catch-alls in the same place. */
export function compareParamsFirst(a: string, b: string): number {
  const [one, two] = [a.endsWith("/*"), b.endsWith("/*")]
  return one === two ? compareByCodeUnit(a, b) : one ? 1 : -1
}
