/** The types of bench/validation.mjs as TypeScript, as code by hand and as schemas of the libraries. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

export const types = `
export interface Line { sku: string; count: number; price: number; gift: boolean }
export interface Order {
  id: string
  customer: string
  /** @format email */
  email: string
  /** @minimum 0 */
  total: number
  paid: boolean
  status: "open" | "sent" | "done"
  note?: string
  lines: Line[]
}
export interface Event {
  at: Date
  data: { kind: "moved"; x: number; y: number } | { kind: "said"; text: string }
  tags: string[]
}
`

const email = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i

function describeKind(value) {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value
}

function addIssue(issues, path, expectedType, value) {
  issues.push({ path, message: `expected ${expectedType}, got ${describeKind(value)}` })
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function validateLine(value, path, issues) {
  if (!isObject(value)) return addIssue(issues, path, "object", value)
  const { sku, count, price, gift } = value
  if (typeof sku !== "string") addIssue(issues, [...path, "sku"], "string", sku)
  if (!Number.isFinite(count)) addIssue(issues, [...path, "count"], "number", count)
  if (!Number.isFinite(price)) addIssue(issues, [...path, "price"], "number", price)
  if (typeof gift !== "boolean") addIssue(issues, [...path, "gift"], "boolean", gift)
  return { sku, count, price, gift }
}

function validateOrder(value) {
  const issues = []
  if (!isObject(value)) {
    addIssue(issues, [], "object", value)
    return { issues }
  }
  const { id, customer, total, paid, status, note } = value
  if (typeof id !== "string") addIssue(issues, ["id"], "string", id)
  if (typeof customer !== "string") addIssue(issues, ["customer"], "string", customer)
  if (typeof value.email !== "string" || !email.test(value.email)) addIssue(issues, ["email"], "email", value.email)
  if (!Number.isFinite(total) || total < 0) addIssue(issues, ["total"], "number", total)
  if (typeof paid !== "boolean") addIssue(issues, ["paid"], "boolean", paid)
  if (status !== "open" && status !== "sent" && status !== "done") addIssue(issues, ["status"], "status", status)
  if (note !== undefined && typeof note !== "string") addIssue(issues, ["note"], "string", note)
  const lines = []
  if (!Array.isArray(value.lines)) addIssue(issues, ["lines"], "array", value.lines)
  else for (let i = 0; i < value.lines.length; i++) lines.push(validateLine(value.lines[i], ["lines", i], issues))
  if (issues.length > 0) return { issues }
  const result = { id, customer, email: value.email, total, paid, status, lines }
  if (note !== undefined) result.note = note
  return { value: result }
}

function validateEvent(value) {
  const issues = []
  if (!isObject(value)) {
    addIssue(issues, [], "object", value)
    return { issues }
  }
  const isDate =
    typeof value.at === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value.at)
  const at = isDate ? new Date(value.at) : undefined
  if (!at || Number.isNaN(at.getTime())) addIssue(issues, ["at"], "date", value.at)
  const tags = []
  if (!Array.isArray(value.tags)) addIssue(issues, ["tags"], "array", value.tags)
  else
    for (let i = 0; i < value.tags.length; i++) {
      if (typeof value.tags[i] !== "string") addIssue(issues, ["tags", i], "string", value.tags[i])
      tags.push(value.tags[i])
    }
  let data
  if (!isObject(value.data)) addIssue(issues, ["data"], "object", value.data)
  else if (value.data.kind === "moved") {
    const { x, y } = value.data
    if (!Number.isFinite(x)) addIssue(issues, ["data", "x"], "number", x)
    if (!Number.isFinite(y)) addIssue(issues, ["data", "y"], "number", y)
    data = { kind: "moved", x, y }
  } else if (value.data.kind === "said") {
    const { text } = value.data
    if (typeof text !== "string") addIssue(issues, ["data", "text"], "string", text)
    data = { kind: "said", text }
  } else addIssue(issues, ["data", "kind"], "kind", value.data.kind)
  return issues.length > 0 ? { issues } : { value: { at, data, tags } }
}

/** Validators that are written by hand. They check, copy the declared properties, and list all issues. */
export const byHand = { Order: validateOrder, Event: validateEvent }

const dateTime = { type: "string", format: "date-time" }
const [text, number, boolean] = ["string", "number", "boolean"].map((type) => ({ type }))
const object = (properties, optional = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
const schemas = {
  Order: object(
    {
      id: text,
      customer: text,
      email: { type: "string", format: "email" },
      total: { type: "number", minimum: 0 },
      paid: boolean,
      status: { type: "string", enum: ["open", "sent", "done"] },
      note: text,
      lines: { type: "array", items: object({ sku: text, count: number, price: number, gift: boolean }) },
    },
    ["note"],
  ),
  Event: object({
    at: dateTime,
    data: {
      oneOf: [object({ kind: { const: "moved" }, x: number, y: number }), object({ kind: { const: "said" }, text })],
    },
    tags: { type: "array", items: text },
  }),
}

/** Returns the validators of the libraries that are installed in a folder. Without a folder, there are none. */
export async function loadLibraries(folder) {
  if (folder === undefined) return {}
  const require = createRequire(join(folder, "package.json"))
  const load = async (name, use) => {
    if (!existsSync(join(folder, "node_modules", name.split("/")[0]))) return {}
    try {
      return await use(await import(pathToFileURL(require.resolve(name)).href))
    } catch (error) {
      console.error(`${name} is left out: ${error.message}`)
      return {}
    }
  }
  return {
    ...(await load("zod", zod)),
    ...(await load("valibot", valibot)),
    ...(await load("arktype", arktype)),
    ...(await load("ajv", async ({ default: Ajv }) => ajv(Ajv.default ?? Ajv, require("ajv-formats")))),
    ...(await load("typebox/compile", ({ Compile }) => typebox(Compile))),
  }
}

function zod({ z }) {
  const Line = z.object({ sku: z.string(), count: z.number(), price: z.number(), gift: z.boolean() })
  const Order = z.object({
    id: z.string(),
    customer: z.string(),
    email: z.email(),
    total: z.number().min(0),
    paid: z.boolean(),
    status: z.enum(["open", "sent", "done"]),
    note: z.string().optional(),
    lines: z.array(Line),
  })
  const Event = z.object({
    at: z.iso.datetime({ offset: true }).transform((at) => new Date(at)),
    data: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("moved"), x: z.number(), y: z.number() }),
      z.object({ kind: z.literal("said"), text: z.string() }),
    ]),
    tags: z.array(z.string()),
  })
  return { "zod 4": { Order: (value) => Order.safeParse(value), Event: (value) => Event.safeParse(value) } }
}

function valibot(v) {
  const Line = v.object({ sku: v.string(), count: v.number(), price: v.number(), gift: v.boolean() })
  const Order = v.object({
    id: v.string(),
    customer: v.string(),
    email: v.pipe(v.string(), v.email()),
    total: v.pipe(v.number(), v.minValue(0)),
    paid: v.boolean(),
    status: v.picklist(["open", "sent", "done"]),
    note: v.optional(v.string()),
    lines: v.array(Line),
  })
  const Event = v.object({
    at: v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.transform((at) => new Date(at)),
    ),
    data: v.variant("kind", [
      v.object({ kind: v.literal("moved"), x: v.number(), y: v.number() }),
      v.object({ kind: v.literal("said"), text: v.string() }),
    ]),
    tags: v.array(v.string()),
  })
  return {
    valibot: { Order: (value) => v.safeParse(Order, value), Event: (value) => v.safeParse(Event, value) },
  }
}

function arktype({ type }) {
  const Order = type({
    id: "string",
    customer: "string",
    email: "string.email",
    total: "number >= 0",
    paid: "boolean",
    status: "'open' | 'sent' | 'done'",
    "note?": "string",
    lines: type({ sku: "string", count: "number", price: "number", gift: "boolean" }).onUndeclaredKey("delete").array(),
  }).onUndeclaredKey("delete")
  const Event = type({
    at: "string.date.iso.parse",
    data: type({ kind: "'moved'", x: "number", y: "number" })
      .onUndeclaredKey("delete")
      .or(type({ kind: "'said'", text: "string" }).onUndeclaredKey("delete")),
    tags: "string[]",
  }).onUndeclaredKey("delete")
  const Kept = type({
    id: "string",
    customer: "string",
    email: "string.email",
    total: "number >= 0",
    paid: "boolean",
    status: "'open' | 'sent' | 'done'",
    "note?": "string",
    lines: type({ sku: "string", count: "number", price: "number", gift: "boolean" }).array(),
  })
  return {
    arktype: { Order: (value) => Order(value), Event: (value) => Event(value) },
    "arktype (only checks)": { Order: (value) => Kept(value) },
  }
}

function ajv(Ajv, formats) {
  const compileSchemas = (options) => {
    const instance = new Ajv({ allErrors: true, ...options })
    ;(formats.default ?? formats)(instance)
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, instance.compile(schema)]))
  }
  return {
    "ajv (strips in place)": compileSchemas({ removeAdditional: "all" }),
    "ajv (only checks)": compileSchemas({}),
  }
}

function typebox(Compile) {
  const validators = Object.entries(schemas).map(([name, schema]) => {
    const checker = Compile(schema)
    const clean = (value) => (checker.Check(value) ? checker.Clean(value) : checker.Errors(value))
    return [name, { clean, check: (value) => checker.Check(value) }]
  })
  const pick = (kind) => Object.fromEntries(validators.map(([name, one]) => [name, one[kind]]))
  return { "typebox (strips in place)": pick("clean"), "typebox (only checks)": pick("check") }
}
