/**
 * Tests that validators for types of public packages, and for random complex types, agree with ajv and their own
 * JSON Schema.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { compareWithAjv } from "../support/bin/validators/agreement.ts"
import { hardTypes } from "../support/bin/validators/hard-types.ts"
import { importValidators, readInputs } from "../support/bin/validators/inputs.ts"
import { installTools } from "../support/tools.ts"

const ofGitHub = [
  "repository",
  "issue",
  "pull-request",
  "webhook-push",
  "code-scanning-alert",
  "workflow-run",
  "gist-simple",
  "team-full",
  "repository-ruleset",
  "check-run",
  "timeline-issue-events",
  "deployment",
  "commit",
  "release",
]
const shared = `
import type { components } from "@octokit/openapi-types"
import type { KnownBlock, MessageAttachment, View } from "@slack/types"
type Schemas = components["schemas"]
${ofGitHub.map((name, i) => `export type GitHub${i} = Schemas["${name}"]`).join("\n")}
export type Block = KnownBlock
export type Modal = View
export type Attachment = MessageAttachment
`

const agreement = suite("agreement with ajv")
let packages: string

agreement.before(async () => {
  packages = await installTools(["@octokit/openapi-types@27", "@slack/types@2"])
})

agreement("the types of packages", async () => {
  const types = [...shared.matchAll(/^export type (\w+)/gm)].map(([, type]) => ({ type: type as string }))
  const read = await readInputs(shared, types, packages)
  assert.equal(read.problems.flat(), [])
  const written = await importValidators(read.validators)
  const { accepted, refused, differences } = compareWithAjv(read.validators, written, 150)
  assert.equal(differences.slice(0, 3), [])
  assert.ok(accepted > 700 && refused > 300, `${accepted} accepted, ${refused} refused`)
})

const seed = Number(process.env.SEED ?? 1)

agreement(`100 random types, with the seed ${seed}`, async () => {
  const { shared, types } = hardTypes(95, seed)
  const read = await readInputs(
    shared,
    types.map((type) => ({ type })),
  )
  assert.equal(read.problems.flat(), [])
  const written = await importValidators(read.validators)
  const { accepted, refused, differences } = compareWithAjv(read.validators, written, 300, seed)
  assert.equal(differences.slice(0, 3), [])
  assert.ok(accepted > 5_000 && refused > 5_000, `${accepted} accepted, ${refused} refused`)
})

agreement.run()
