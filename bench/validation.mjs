/**
 * Measures how many bodies per second are validated: by fw's generated validators, by code that was written by hand, and by
 * libraries.
 *
 *     node bench/validation.mjs --peers FOLDER [--rounds 15] [--milliseconds 150]
 *
 * It needs Node 24, because it imports sources of fw in TypeScript.
 * `--peers` names a folder in which `npm i zod valibot typebox ajv ajv-formats arktype` was run. Libraries that are missing
 * are left out. fw, the code by hand, zod, valibot and arktype check, copy the declared properties, and list all issues.
 * typebox and ajv remove unknown properties from the body itself and do not turn texts into dates. A row that says "only
 * checks" does less than that. All of them run in turn for `--milliseconds`, so that other work on the machine slows down
 * all of them. The table has the medians, also those of the ratio to the code by hand in the same round. The aim: fw has at
 * least 0.9 of the speed of the code by hand, and is faster than every library that does the same work.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { InputTypes } from "../bin/openapi/types/input-types.ts"
import { openTypes } from "../bin/tools/typescript/program.ts"
import { createValidator } from "../bin/validators/validator.ts"
import { writeValidators } from "../bin/validators/write-validators.ts"
import { record } from "./support/record.mjs"
import { byHand, loadLibraries, types } from "./support/validation.mjs"

const here = import.meta.dirname
const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: process.env.FW_BENCH_PEERS },
    rounds: { type: "string", default: "15" },
    milliseconds: { type: "string", default: "150" },
  },
})

/** Returns fw's validators of the types, by name. */
async function loadGenerated() {
  const root = mkdtempSync(join(tmpdir(), "fw-bench-validators-"))
  try {
    const require = createRequire(join(here, "..", "package.json"))
    const packagesDirectory = dirname(dirname(require.resolve("typescript/package.json")))
    mkdirSync(join(root, "node_modules"))
    symlinkSync(join(packagesDirectory, "typescript"), join(root, "node_modules", "typescript"))
    const names = [...types.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name)
    const values = names.map((name) => `export declare const value${name}: ${name}\n`)
    writeFileSync(join(root, "types.ts"), types + values.join(""))
    const program = await openTypes(root, { files: ["types.ts"] })
    const inputs = new InputTypes(program)
    const inputsByName = {}
    program.getFile("types.ts").forEachChild((node) => {
      const [declaration] = node.declarationList?.declarations ?? []
      if (declaration)
        inputsByName[declaration.name.text] = inputs.convert(
          program.checker.getTypeAtLocation(declaration.name),
          declaration,
        )
    })
    const validators = names.map((name) => createValidator(inputsByName[`value${name}`], "json", inputs.named))
    program.close()
    writeFileSync(join(root, "validators.mjs"), writeValidators(validators))
    const module = await import(pathToFileURL(join(root, "validators.mjs")).href)
    return Object.fromEntries(
      names.map((name, i) => {
        const schema = module[validators[i].name]["~standard"]
        return [name, (value) => schema.validate(value)]
      }),
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * Returns bodies as JSON.parse creates them. Their texts and numbers differ, and the order of their keys may differ
 * too.
 */
function createBodies(kind) {
  const shuffleKeys = (object) =>
    Object.fromEntries(
      Object.entries(object)
        .map((entry) => [Math.sin(entry[0].length * 7 + kind.seed++), entry])
        .sort(([a], [b]) => a - b)
        .map(([, entry]) => entry),
    )
  const bodies = Array.from({ length: 64 }, (_, i) => kind.body(i))
  return bodies.map((body) => JSON.parse(JSON.stringify(kind.mixed ? shuffleKeys(body) : body)))
}

/** Validates values for some milliseconds, and returns how many were validated per second. */
function measureSlice(run, values, milliseconds) {
  const end = performance.now() + milliseconds
  const start = performance.now()
  let count = 0
  let sum = 0
  while (performance.now() < end) {
    for (const value of values) if (run(value)) sum++
    count += values.length
  }
  if (sum < 0) throw new Error("never")
  return (count * 1000) / (performance.now() - start)
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

const createLine = (i) => ({ sku: `sku-${i}`, count: i + 1, price: 9.5 + i, gift: i % 3 === 0 })
const createOrder = (i) => ({
  id: `order-${i}`,
  customer: `customer ${i}`,
  email: `ada${i}@example.org`,
  total: 12.5 + i,
  paid: i % 2 === 0,
  status: ["open", "sent", "done"][i % 3],
  ...(i % 2 === 0 && { note: "please ring twice" }),
  lines: Array.from({ length: 10 }, (_, n) => createLine(n + i)),
})
const createEvent = (i) =>
  i % 2 === 0
    ? { at: "2024-05-06T07:08:09Z", data: { kind: "moved", x: i, y: i + 0.5 }, tags: ["a", "b"] }
    : { at: "2024-05-06T07:08:09.123+02:00", data: { kind: "said", text: `hello ${i}` }, tags: [] }
const kinds = [
  { label: "order, valid", type: "Order", body: createOrder, seed: 1 },
  { label: "order, keys in any order", type: "Order", body: createOrder, mixed: true, seed: 1 },
  {
    label: "order, with unknown keys",
    type: "Order",
    body: (i) => ({ ...createOrder(i), extra: 1, more: { a: 1 } }),
    seed: 1,
  },
  {
    label: "order, three issues",
    type: "Order",
    body: (i) => ({ ...createOrder(i), id: 5, paid: null, status: "lost" }),
    seed: 1,
  },
  { label: "event, a union and a date", type: "Event", body: createEvent, seed: 1 },
]

const contenders = { "by hand": byHand, fw: await loadGenerated(), ...(await loadLibraries(options.peers)) }
const tableRows = []
for (const kind of kinds) {
  const runs = Object.entries(contenders).flatMap(([name, all]) =>
    all[kind.type] ? [{ name, run: all[kind.type], values: createBodies({ ...kind }), rates: [] }] : [],
  )
  for (const { run, values } of runs) measureSlice(run, values, 100)
  for (let round = 0; round < Number(options.rounds); round++)
    for (const one of runs) one.rates.push(measureSlice(one.run, one.values, Number(options.milliseconds)))
  tableRows.push({
    row: kind.label,
    values: Object.fromEntries(runs.map(({ name, rates }) => [name, Math.round(median(rates) / 1000)])),
  })
  console.log(`\n${kind.label} (thousands a second, ratio to the code by hand)`)
  for (const { name, rates } of runs) {
    const ratio = median(rates.map((rate, i) => rate / runs[0].rates[i]))
    console.log(
      `${name.padEnd(24)} ${String(Math.round(median(rates) / 1000)).padStart(8)} ${ratio.toFixed(2).padStart(7)}`,
    )
  }
}
record({
  title: "Bodies that are validated in a second",
  unit: "thousands",
  better: "more",
  measure: "by hand",
  rows: tableRows,
})
