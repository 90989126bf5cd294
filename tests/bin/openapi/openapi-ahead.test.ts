/** TypeScript is asked about all handlers at once: each question that is asked on its own is a wait for another process. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { describedFiles } from "../../../bin/openapi/described-files.ts"
import { describe } from "../../../bin/openapi/types/handlers.ts"
import { Descendants } from "../../../bin/tools/typescript/descendants.ts"
import { type Node, openTypes, type SourceFile } from "../../../bin/tools/typescript/program.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { shop } from "../../support/bin/openapi/openapi-shop.ts"

async function described(files: Record<string, string>, main: string | null, ahead: boolean) {
  const root = makeProject(files, ["fw", "typescript"])
  const tree = await scanDirectory(root, "app")
  const program = await openTypes(root, { files: describedFiles(tree, main) })
  if ("untyped" in program) throw new Error(program.untyped)
  try {
    if (!ahead) Object.assign(program, { ahead() {}, post: () => () => {} })
    const before = program.questions
    const known = describe(program, tree, main)
    return { known, questions: program.questions - before }
  } finally {
    program.close()
  }
}

const route = (n: number) => `import { type Context, forbidden } from "fw"
interface Owner${n} { id: number; mail: string | null; roles: ("admin" | "user")[] }
interface Thing${n} { id: number; owner: Owner${n}; pair: [string, Owner${n}?]; more: Record<string, Date> }
function page(c: Context) { return c.queryInt("page", 1) }
export function Get(c: Context) {
  return c.json(200, { all: [] as Thing${n}[], next: "" as string | undefined, page: page(c) })
}
export async function Post(c: Context) {
  const change = await c.bind<Partial<Thing${n}> & { extra: Owner${n} }>()
  if (!change.id) throw forbidden("no")
  return c.queryBool("short") ? c.noContent() : c.json(201, change)
}
`

function project(count: number): Record<string, string> {
  const files = Array.from({ length: count }, (_, n) => [`app/api/t${n}/route.ts`, route(n)] as const)
  return { "package.json": "{}", ...Object.fromEntries(files) }
}

test("the number of separate questions does not grow with the number of handlers", async () => {
  // More files than those that are asked about together.
  const [few, many] = [await described(project(2), null, true), await described(project(30), null, true)]
  assert.is(many.known.handlers.size, 60)
  assert.is(many.questions, few.questions)
  const without = await described(project(30), null, false)
  assert.ok(without.questions > 10 * many.questions, `${without.questions} and ${many.questions}`)
})

test("asking ahead finds the same as asking one by one", async () => {
  const [ahead, alone] = [await described(shop, "main.ts", true), await described(shop, "main.ts", false)]
  assert.equal(ahead.known, alone.known)
  assert.ok(ahead.known.handlers.size > 20)
})

test("nodes that are found in the bytes of a file are those of TypeScript's API", async () => {
  const root = makeProject(shop, ["fw", "typescript"])
  const files = Object.keys(shop).filter((file) => file.endsWith(".ts"))
  const program = await openTypes(root, { files })
  if ("untyped" in program) throw new Error(program.untyped)
  const wanted = [program.kinds.CallExpression, program.kinds.Block, program.kinds.ReturnStatement]
  const syntax = new Descendants(wanted, program.kinds)
  const isWanted = ({ kind }: Node) => wanted.includes(kind as never)
  const nearest = (node: Node): Node[] => {
    const found: Node[] = []
    node.forEachChild((child) => void found.push(...(isWanted(child) ? [child] : nearest(child))))
    return found
  }
  const all = (node: Node): Node[] => nearest(node).flatMap((one) => [one, ...all(one)])
  let count = 0
  for (const source of files.flatMap((file) => program.file(file) ?? [])) {
    const found = syntax.all(source)
    assert.equal(
      found.map(({ pos, kind }) => [pos, kind]),
      all(source).map(({ pos, kind }) => [pos, kind]),
    )
    for (const node of [source, ...found, ...source.statements]) {
      const inside: Node[] = []
      syntax.eachNearest(node, (one) => void inside.push(one))
      const expected = nearest(node)
      assert.is(inside.length, expected.length)
      assert.ok(inside.every((one, i) => one === expected[i]))
    }
    count += found.length
  }
  assert.ok(count > 100, `${count}`)
  // A file of which the API may visit nothing.
  const [first] = files
  const fresh = new Descendants(wanted, program.kinds)
  for (const file of [first, files.at(-1)] as string[]) {
    const source = program.file(file) as SourceFile
    const expected = syntax.all(source)
    if (file !== first) Object.defineProperty(source, "forEachChild", { value: assert.unreachable })
    assert.is(fresh.all(source).length, expected.length)
  }
  program.close()
})

test("starting TypeScript's process does not change the environment of this process", async () => {
  const before = { ...process.env }
  await described(project(1), null, true)
  assert.equal({ ...process.env }, before)
})

test.run()
