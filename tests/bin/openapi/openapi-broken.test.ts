/**
 * Tests that the document is still made if the process of TypeScript ends before all types are read: only these types
 * are missing.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { listDescribedFiles } from "../../../bin/openapi/described-files.ts"
import { makeDocument } from "../../../bin/openapi/document/document.ts"
import { describeRoutes } from "../../../bin/openapi/types/handlers.ts"
import { openTypes } from "../../../bin/tools/typescript/program.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { shop } from "../../support/bin/openapi/openapi-shop.ts"

test("if TypeScript's process has ended, the document has routes and comments, and warnings name the handlers without types", async () => {
  const root = makeProject(shop, ["fw", "typescript"])
  const tree = await scanDirectory(root, "app")
  const program = await openTypes(root, { files: listDescribedFiles(tree, "main.ts") })
  if ("untyped" in program) throw new Error(program.untyped)
  program.close()
  const known = describeRoutes(program, tree, "main.ts")
  const options = {
    title: "x",
    version: "1",
    openapi30: false,
    loadURLPattern: () => Promise.reject(new Error()),
  }
  const { document, warnings } = await makeDocument(tree, known, options)
  const paths = document.paths as Record<string, Record<string, { summary?: string }>>
  assert.is(paths["/api/users/{id}"]?.get?.summary, "One user.")
  const found = warnings.filter(({ message }) => /^TypeScript could not determine the types here: ./.test(message))
  assert.ok(found.length > 20)
  const route = tree.routes.find(({ pattern, method }) => pattern === "/api/users/{id}" && method === "PUT")
  assert.ok(found.some(({ at }) => at?.file === route?.file && at?.line === route?.line))
})

test.run()
