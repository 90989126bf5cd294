/**
 * The nodes of some kinds in a file, found in the bytes that TypeScript sends. Its API makes an object for each node on the
 * way, and reads each of its properties from the bytes.
 */
import type * as AST from "typescript/unstable/ast"

/** The used part of a file's syntax. TypeScript does not document it, so any part may be missing, or be different. */
interface EncodedFile {
  readonly view: DataView
  readonly _offsetNodes: number
  getOrCreateNodeAtIndex(index: number): AST.Node
}

/** Numbers of 4 bytes per node: its kind, two positions, the next sibling, its parent, and two others. */
const width = 7
const [nextAt, parentAt] = [3, 4]

/** The nodes of the wanted kinds in one file, in the order of the source. */
interface Found {
  readonly file: EncodedFile
  /** The index after the last descendant of each node. */
  readonly ends: Int32Array
  readonly indexes: readonly number[]
}

/** Finds the nodes of some kinds. */
export class Descendants {
  readonly #kinds: ReadonlySet<number>
  readonly #comment: number
  readonly #files = new WeakMap<AST.SourceFile, Found | null>()
  /** False if TypeScript has another encoding; undefined until the first file was compared. */
  #isKnown: boolean | undefined

  constructor(wanted: readonly number[], kinds: typeof AST.SyntaxKind) {
    this.#kinds = new Set(wanted)
    this.#comment = kinds.JSDoc
  }

  /** Returns all of them in a file. */
  all(source: AST.SourceFile): readonly AST.Node[] {
    const found = this.#found(source)
    return found
      ? found.indexes.map((index) => found.file.getOrCreateNodeAtIndex(index))
      : this.#visited(source)
  }

  /** Calls a function with those in a node that are in no other one in it. */
  eachNearest(node: AST.Node, use: (node: AST.Node) => void): void {
    const found = this.#found(node.getSourceFile())
    if (found) this.#eachFound(node, found, use)
    else this.#visit(node, use)
  }

  #eachFound(node: AST.Node, { file, ends, indexes }: Found, use: (node: AST.Node) => void): void {
    const { index } = node as AST.Node & { readonly index: number }
    const end = ends[index] as number
    for (let i = after(indexes, index); i < indexes.length; ) {
      const at = indexes[i] as number
      if (at >= end) return
      use(file.getOrCreateNodeAtIndex(at))
      const next = ends[at] as number
      do i += 1
      while ((indexes[i] ?? end) < next)
    }
  }

  #found(source: AST.SourceFile): Found | null {
    const known = this.#files.get(source)
    if (known !== undefined) return known
    const read = this.#isKnown === false ? null : this.#read(source as unknown as Partial<EncodedFile>)
    if (this.#isKnown === undefined) this.#isKnown = read !== null && this.#isSame(source, read)
    const found = this.#isKnown ? read : null
    this.#files.set(source, found)
    return found
  }

  #read(source: Partial<EncodedFile>): Found | null {
    const { view, _offsetNodes: offset, getOrCreateNodeAtIndex } = source
    if (!(view instanceof DataView) || typeof offset !== "number" || !getOrCreateNodeAtIndex) return null
    const count = Math.floor((view.byteLength - offset) / (width * 4))
    if (count < 2) return null
    // A copy, because its position among the bytes may be one that an array of numbers cannot have.
    const start = view.byteOffset + offset
    const nodes = new Int32Array(view.buffer.slice(start, start + count * width * 4))
    const ends = new Int32Array(count + 1)
    const indexes: number[] = []
    ends[1] = count
    for (let i = 2; i < count; i++) {
      const [next, parent] = [nodes[i * width + nextAt] as number, nodes[i * width + parentAt] as number]
      if (parent < 1 || parent >= i) return null
      ends[i] = next || (ends[parent] as number)
      const kind = nodes[i * width] as number
      // The API leaves out comments.
      if (kind === this.#comment) {
        for (const end = ends[i] as number; i + 1 < end; ) ends[++i] = end
      } else if (this.#kinds.has(kind)) indexes.push(i)
    }
    return { file: source as EncodedFile, ends, indexes }
  }

  /** Compares with what the API says. */
  #isSame(source: AST.SourceFile, { file, indexes }: Found): boolean {
    const visited = this.#visited(source)
    return (
      visited.length === indexes.length &&
      visited.every((node, i) => node === file.getOrCreateNodeAtIndex(indexes[i] as number))
    )
  }

  #visited(source: AST.SourceFile): readonly AST.Node[] {
    const nodes: AST.Node[] = []
    const use = (node: AST.Node) => {
      nodes.push(node)
      this.#visit(node, use)
    }
    this.#visit(source, use)
    return nodes
  }

  #visit(node: AST.Node, use: (node: AST.Node) => void): void {
    node.forEachChild((child) => {
      if (this.#kinds.has(child.kind)) use(child)
      else this.#visit(child, use)
    })
  }
}

/** Returns the place of the first number that is greater. */
function after(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}
