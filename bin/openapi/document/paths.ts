/**
 * Converts patterns to paths of the document. A catch-all becomes a parameter, and no two paths differ only in the
 * names of parameters.
 */
import { compareByCodeUnit } from "../../../lib/order.ts"
import { getPatternShape, type Pattern, parsePattern } from "../../../lib/pattern.ts"

/** A path of the document. */
export interface DocumentPath {
  /** The path, such as `/api/docs/{slug}`. */
  readonly path: string
  readonly params: readonly PathParam[]
}

/** A parameter of a path. */
export interface PathParam {
  /** Name in the document. */
  readonly name: string
  /** Name in the handler. */
  readonly handlerName: string
  /** True for a catch-all. */
  readonly isRest: boolean
}

/**
 * Assigns a path to each pattern. If several patterns have the same shape, the first one determines the names of
 * the parameters, so patterns must come in a stable order.
 */
export class DocumentPaths {
  readonly #pathsByShape = new Map<string, DocumentPath>()
  /** The paths, by their texts without the names of parameters. */
  readonly #pathsByNamelessPath = new Map<string, DocumentPath>()

  /**
   * Returns the path for a pattern.
   *
   * @param rest the name of a final `*`.
   */
  getPath(text: string, rest = "*"): DocumentPath {
    const pattern = parsePattern(text)
    const shape = getPatternShape(pattern)
    const known = this.#pathsByShape.get(shape)
    const names = pattern.names.map((name) => (name === "*" ? rest : name))
    if (known) {
      const params = known.params.map((param, i) => ({ ...param, handlerName: names[i] ?? param.handlerName }))
      return { path: known.path, params }
    }
    const path = this.#createPath(pattern, rest)
    this.#pathsByShape.set(shape, path)
    return path
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
    return this.#makeUnique({ path: `/${parts.join("/")}`, params })
  }

  /**
   * If a parameter and a catch-all would get the same path, the catch-all gets one more segment. The parameter
   * already matches all paths with one segment.
   */
  #makeUnique(candidate: DocumentPath): DocumentPath {
    const shape = candidate.path.replace(/\{[^{}]*\}/g, "{}")
    const known = this.#pathsByNamelessPath.get(shape)
    if (!known) {
      this.#pathsByNamelessPath.set(shape, candidate)
      return candidate
    }
    const { path, params } = known
    const last = candidate.params.at(-1) as PathParam
    const head = { ...(params.at(-1) as PathParam), handlerName: "", isRest: false }
    const tail = head.name === last.name ? { ...last, name: `${last.name}Rest` } : last
    return this.#makeUnique({ path: `${path}/{${tail.name}}`, params: [...params.slice(0, -1), head, tail] })
  }
}

function takeFreeName(name: string, usedNames: Set<string>): string {
  let free = name
  for (let n = 2; usedNames.has(free); n++) free = `${name}${n}`
  usedNames.add(free)
  return free
}

/** Compares patterns, so that parameters come before catch-alls at the same position. */
export function compareParamsFirst(a: string, b: string): number {
  const [isRestA, isRestB] = [a.endsWith("/*"), b.endsWith("/*")]
  return isRestA === isRestB ? compareByCodeUnit(a, b) : isRestA ? 1 : -1
}
