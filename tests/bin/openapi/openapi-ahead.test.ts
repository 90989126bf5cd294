/** TypeScript is asked about all handlers at once: each question that is asked on its own is a wait for another process. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { describedFiles } from "../../../bin/openapi/described-files.ts"
import { describe } from "../../../bin/openapi/types/handlers.ts"
import { openTypes } from "../../../bin/tools/typescript/program.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { shop } from "../../support/bin/openapi/openapi-shop.ts"

async function described(files: Record<string, string>, main: string | null, ahead: boolean) {
  const root = makeProject(files, ["fw", "typescript"])
  const tree = await scanDirectory(root, "app")
  const program = await openTypes(root, { files: describedFiles(tree, main) })
  if ("untyped" in program) throw new Error(program.untyped)
  try {
    if (!ahead) Object.assign(program, { ahead() {}, begin() {} })
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
  // More files than those whose calls are asked about in one question.
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

test("starting TypeScript's process does not change the environment of this process", async () => {
  const before = { ...process.env }
  await described(project(1), null, true)
  assert.equal({ ...process.env }, before)
})

test.run()
