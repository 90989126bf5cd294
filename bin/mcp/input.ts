/**
 * The input of a tool. From the spec of its command, it creates the JSON Schema for the model, and checks the
 * arguments that the model sends.
 */

import { findNearest } from "../cli/find-nearest.ts"
import { shortenValues } from "../cli/shorten.ts"
import { addDefaults, type Flag, type Spec, toOptionName } from "../cli/spec.ts"
import { toolFault } from "../messages/tools.ts"

/** A JSON Schema of an object, as MCP requires it for tools. */
export interface ObjectSchema {
  readonly type: "object"
  readonly properties: Readonly<Record<string, object>>
  readonly required?: string[]
  readonly additionalProperties?: false
  readonly [keyword: string]: unknown
}

/** The parts of a tool that determine its input. */
export interface InputOptions {
  readonly command: { readonly spec: Spec }
  /** Options that the model cannot set. */
  readonly fixed: Readonly<Record<string, unknown>>
  /** Options whose default is not that of the command line. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Arguments that must be given, besides those that the command requires. */
  readonly required?: readonly string[]
}

/** Returns the schema of a command's options. Fixed options are left out. */
export function createInputSchema({
  command: { spec },
  fixed,
  defaults = {},
  required: more = [],
}: InputOptions): ObjectSchema {
  const properties: Record<string, object> = {}
  const isOpen = (name: string) => !Object.hasOwn(fixed, toOptionName(name))
  const args = (spec.arguments ?? []).filter(({ name, several }) => isOpen(name) && !several)
  for (const { name, description, values } of args)
    properties[toOptionName(name)] = { type: "string", description, ...(values && { enum: values }) }
  for (const [name, flag] of Object.entries(spec.flags ?? {}))
    if (isOpen(name)) properties[toOptionName(name)] = { ...toFlagSchema(flag), ...toDefault(defaults, name) }
  const required = [...args.filter(({ optional }) => !optional).map(({ name }) => toOptionName(name)), ...more]
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function toDefault(defaults: Readonly<Record<string, unknown>>, name: string): object {
  const start = defaults[toOptionName(name)]
  return start === undefined ? {} : { default: start }
}

function toFlagSchema(flag: Flag): object {
  const { description } = flag
  if (flag.type === "boolean") return { type: "boolean", description }
  const start = flag.default === undefined ? {} : { default: flag.default }
  if (flag.type === "number") return { type: "integer", description, minimum: flag.min, maximum: flag.max, ...start }
  const text = { type: "string", ...(flag.values && { enum: flag.values }) }
  return flag.type === "list"
    ? { type: "array", description, items: text, ...start }
    : { ...text, description, ...start }
}

/**
 * Checks the arguments from a model and adds the defaults.
 *
 * @throws FwError `arguments` for the first mistake, with its fix.
 */
export function readInput(input: InputOptions, values: Readonly<Record<string, unknown>>) {
  const { spec } = input.command
  const { properties, required = [] } = createInputSchema(input)
  const knownNames = Object.keys(properties)
  for (const name of required) if (values[name] === undefined) throw toolFault("arguments.missing", [name])
  for (const [name, value] of Object.entries(values)) {
    if (!knownNames.includes(name))
      throw toolFault("arguments.unknown", [shortenValues(name), findNearest(name, knownNames) ?? null, knownNames])
    checkValue(name, value, properties[name] as ValueSchema)
  }
  return addDefaults(spec, { ...input.defaults, ...values, ...input.fixed } as never)
}

interface ValueSchema {
  readonly type: "string" | "integer" | "boolean" | "array"
  readonly enum?: readonly string[]
  readonly items?: ValueSchema
  readonly minimum?: number
  readonly maximum?: number
}

function checkValue(name: string, value: unknown, expected: ValueSchema): void {
  const { type, minimum = 0, maximum = 0 } = expected
  const valueText = shortenValues(JSON.stringify(value))
  if (type === "array") {
    if (!Array.isArray(value)) throw toolFault("arguments.type", [name, valueText, "a list of strings"])
    for (const one of value) checkValue(name, one, expected.items as ValueSchema)
  } else if (type === "integer") {
    if (!Number.isInteger(value) || (value as number) < minimum || (value as number) > maximum)
      throw toolFault("arguments.type", [name, valueText, `a whole number from ${minimum} to ${maximum}`])
  } else if (typeof value !== type) throw toolFault("arguments.type", [name, valueText, `a ${type}`])
  else if (expected.enum && !expected.enum.includes(value as string))
    throw toolFault("arguments.type", [name, valueText, `one of ${expected.enum.join(", ")}`])
  else if (type === "string" && (value as string).includes("\0")) throw toolFault("arguments.nul", [name])
}
