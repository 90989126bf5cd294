/** Validates forms and queries, and collects the data with which a page shows a form again. */
import type { Context } from "../context.ts"
import { misuse } from "../errors/fault.ts"
import type { Issue } from "../errors.ts"
import { allowUnawaited } from "./allow-unawaited.ts"
import { getIssueField, groupFields, isEmptyField, type SentFields, validateFields } from "./fields.ts"
import { createFileIssue, type FileFacts, type FileMessages } from "./file-problems.ts"
import { checkFileRules, detectType, isAcceptedType, signatureBytes } from "./file-types.ts"
import { readLargeForm } from "./large-form.ts"
import { createBareRecord, type ShownForm } from "./new-form.ts"
import { getRequiredSchema } from "./prepared-schema.ts"
import { checkSchema, createInvalidError, type SchemaResult, type StandardSchema, watchValidation } from "./schema.ts"

/**
 * Options of `c.bindForm()` and `c.readForm()`.
 *
 * @example
 * const options: FormOptions = { maxFile: 5_000_000, types: ["image/*"] }
 * app.post("/me", async (c) => c.json(200, await c.bindForm(userSchema, options)))
 */
export interface FormOptions extends FileMessages {
  /** Maximum number of bytes of one file. Default: the limit of the whole body. */
  readonly maxFile?: number
  /** Maximum number of files. Default: the app's `formPartLimit`. */
  readonly maxFiles?: number
  /**
   * Accepted types of files, such as `image/png` or `image/*`. Files are recognised by their first bytes. `image/*`
   * does not accept SVG, which can contain scripts and must be named. Default: all types.
   */
  readonly types?: readonly string[]
  /**
   * Names of fields whose values are never shown again. Fields with names like a password, a token or a code need not
   * be listed.
   */
  readonly secret?: readonly string[]
}

/**
 * A form that was sent, with the data for a template. Its values contain neither files nor fields with secrets.
 *
 * @example
 * app.post("/users", async (c) => {
 *   const form: Form<{ name: string }> = await c.readForm(userSchema)
 *   return form.ok ? c.json(201, form.data) : c.json(422, form.issues)
 * })
 */
export type Form<Data> = ShownForm &
  ({ readonly ok: true; readonly data: Data } | { readonly ok: false; readonly data?: undefined })

/** An object that has a form, such as the context. */
interface FormSource {
  form(): Promise<FormData>
}

/** The arguments of a call for a form. Without a schema, the options come first. */
type FormArguments = readonly [schema?: StandardSchema | FormOptions, options?: FormOptions]

/**
 * The names of the options. An object that has a key with another name counts as a schema, so that a schema without
 * Standard Schema gets the error about schemas.
 */
const optionNames = Object.keys({
  maxFile: true,
  maxFiles: true,
  types: true,
  secret: true,
  fileMessage: true,
} satisfies Record<keyof FormOptions, true>)

/**
 * Returns the schema and the options of a call. @throws TypeError for an argument that is neither, and for a call
 * without a schema if the program has no validator for its type.
 */
async function readFormArguments(
  call: string,
  [first, second = {}]: FormArguments,
): Promise<{ schema: StandardSchema; options: FormOptions }> {
  const hasSchema = first !== undefined && !isOptions(first)
  if (hasSchema) checkSchema(first, call)
  const options = hasSchema ? second : ((first as FormOptions | undefined) ?? second)
  checkFileRules(call, options, { limits: ["maxFile", "maxFiles"], lists: ["types", "secret"] })
  return { schema: hasSchema ? (first as StandardSchema) : await getRequiredSchema(call), options }
}

function isOptions(schemaOrOptions: StandardSchema | FormOptions): schemaOrOptions is FormOptions {
  return (
    schemaOrOptions?.constructor === Object && Object.keys(schemaOrOptions).every((name) => optionNames.includes(name))
  )
}

/** Validates a form. @throws HttpError 400 with all `issues`. */
export async function bindForm(c: FormSource, ...args: FormArguments): Promise<unknown> {
  const { schema, options } = await readFormArguments("c.bindForm()", args)
  const sentFields = groupFields(await c.form())
  return getValidData(await validateForm(schema, sentFields, options), "the form is not valid", sentFields)
}

/** Validates a query string. @throws HttpError 400 with all `issues`. */
export async function bindQuery(
  { search }: { readonly search: string },
  schemaArgument: StandardSchema | undefined,
): Promise<unknown> {
  const schema = schemaArgument === undefined ? await getRequiredSchema("c.bindQuery()") : schemaArgument
  checkSchema(schema, "c.bindQuery()")
  const sentFields = groupFields(new URLSearchParams(search))
  return getValidData(
    await watchValidation("query", validateFields, schema, sentFields),
    "the query is not valid",
    sentFields,
  )
}

/** Validates a form, and collects the data to show it again. */
export function readForm(...args: Parameters<typeof readShownForm>): Promise<Form<unknown>> {
  return explainMissingAwait(allowUnawaited(readShownForm(...args)))
}

async function readShownForm(c: Context, ...args: FormArguments): Promise<Form<unknown>> {
  const { schema, options } = await readFormArguments("c.readForm()", args)
  const largeForm = await readLargeForm(c, options)
  if (largeForm) return { ok: false, ...createShownForm(largeForm.sent, options, [largeForm.issue]) }
  const sentFields = groupFields(await c.form())
  const result = await validateForm(schema, sentFields, options)
  if (!result.issues) return { ok: true, data: result.value, ...createShownForm(sentFields, options) }
  // For security, a form that is shown again cannot contain files. The user must choose them again.
  const fileFields = [...sentFields].filter(([, [value]]) => typeof value === "object" && !isEmptyField(value))
  const fileIssues = fileFields.map(([name]) => createFileIssue(name, { code: "again" }, options))
  return { ok: false, ...createShownForm(sentFields, options, [...result.issues, ...fileIssues]) }
}

/** Returns the data of a form for a template. */
function createShownForm(sent: SentFields, { secret = [] }: FormOptions, issueList: readonly Issue[] = []): ShownForm {
  const lists = listTexts(sent, secret)
  const values = createBareRecord<string>()
  for (const [name, [first = ""]] of Object.entries(lists)) values[name] = first
  const issues = createBareRecord<string>()
  for (const issue of issueList) issues[getIssueField(issue)] ??= issue.message
  return { values, lists, issues }
}

function getValidData<Output>(result: SchemaResult<Output>, message: string, sent: SentFields): Output {
  if (!result.issues) return result.value
  throw createInvalidError(message, result.issues, sent)
}

async function validateForm<Output>(
  schema: StandardSchema<Output>,
  sent: SentFields,
  options: FormOptions,
): Promise<SchemaResult<Output>> {
  const { typedFields, issues: files } = await checkFiles(sent, options)
  const result = await watchValidation("form", validateFields, schema, typedFields)
  return files.length === 0 ? result : { issues: [...files, ...(result.issues ?? [])] }
}

/**
 * Checks the files of a form. In the result, each file has the type that its content shows, if that is known. Clients
 * may claim any type, and programs derive names and headers from it.
 */
async function checkFiles(
  sent: SentFields,
  options: FormOptions,
): Promise<{ typedFields: SentFields; issues: Issue[] }> {
  const { maxFile = Number.POSITIVE_INFINITY, maxFiles = Number.POSITIVE_INFINITY, types } = options
  const issues: Issue[] = []
  let count = 0
  const check = async (name: string, file: string | File) => {
    if (typeof file === "string" || isEmptyField(file)) return file
    const issue = (facts: FileFacts) => issues.push(createFileIssue(name, facts, options))
    if (++count === maxFiles + 1) issue({ code: "count", limit: maxFiles })
    if (file.size > maxFile) issue({ code: "size", limit: maxFile })
    const type = detectType(new Uint8Array(await file.slice(0, signatureBytes).arrayBuffer()))
    if (types && !isAcceptedType(types, type)) issue({ code: "type", types, found: type })
    return type === "" || type === file.type
      ? file
      : new File([file], file.name, { type, lastModified: file.lastModified })
  }
  const typedFields = new Map<string, (string | File)[]>()
  for (const [name, values] of sent) {
    const checkedValues: (string | File)[] = []
    for (const value of values) checkedValues.push(await check(name, value))
    typedFields.set(name, checkedValues)
  }
  return { typedFields, issues }
}

/** Returns the texts that may be shown again. */
function listTexts(sent: SentFields, secret: readonly string[]): Record<string, readonly string[]> {
  const texts = createBareRecord<readonly string[]>()
  for (const [name, values] of sent) {
    if (secret.includes(name) || isSecretField(name)) continue
    const textValues = values.filter((value) => typeof value === "string")
    if (textValues.length > 0) texts[name] = textValues
  }
  return texts
}

const secretWords = new Set(
  "password passwd passphrase passcode pwd pass secret token otp totp pin cvc cvv csrf credential".split(" "),
)

/**
 * Returns true if the name of a field contains a word for a secret: `new_password` and `userPin` do, `shipping` does
 * not.
 */
export function isSecretField(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
  return words.some((word) => secretWords.has(word.replace(/s$/, "")) || secretWords.has(word))
}

/** The fields of a form. A program that forgot `await` reads them from the promise. */
const formFields: readonly (keyof Form<unknown>)[] = ["ok", "data", "values", "lists", "issues"]

/**
 * Makes the fields of {@link Form} throw on the promise, so that a missing `await` is explained. Otherwise each field
 * would be undefined.
 */
function explainMissingAwait<T>(promise: Promise<T>): Promise<T> {
  for (const name of formFields)
    Object.defineProperty(promise, name, {
      get() {
        throw misuse("form.await", name)
      },
    })
  return promise
}
