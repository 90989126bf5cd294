/** The part of the context that reads bodies, forms and queries by a schema. `lib/context.ts` adds the part that responds. */
import { bindForm, bindQuery, parseForm, partsOf, readForm } from "#parts/forms"
import { Body } from "./body.ts"
import { ContextRequest, reading } from "./context-request.ts"
import type { Form, FormOptions } from "./forms.ts"
import type { Part, PartsOptions } from "./parts.ts"
import type { StandardSchema } from "./schema.ts"
import { mayBeUnawaited } from "./unawaited.ts"

/** The body of a request as a handler reads it. `Params` are the names of its pattern's parameters. */
export class ContextBody<Params extends string = string> extends ContextRequest<Params> {
  #body: Body | undefined

  /**
   * The WHATWG request. Its body is a stream with the size limit.
   *
   * @example c.request.headers.has("X-Team") // → true
   */
  get request(): Request {
    return this.#reader.request()
  }

  get #reader(): Body {
    this.#body ??= new Body(...reading.bodyParts(this), parseForm)
    return this.#body
  }

  /**
   * The JSON body, validated by a Standard Schema or against the type `T`. The result has only the properties that `T`
   * declares; a `Date` is made of an RFC 3339 text, a `bigint` of a text with an integer.
   *
   * The check against `T` is made by `fw dev`, `fw build` and `fw test`. In a program that runs without them the body is
   * only parsed, and the first call prints a warning.
   *
   * @throws HttpError 400 for invalid JSON, a key that would change a prototype, and data that does not fit
   * (every problem is listed in `issues`); 413 over the limit; 415 for another content type, and for a `Content-Encoding`
   * such as gzip.
   * @example
   * // POST /users {"name":"Ada"}
   * const user = await c.bind<{ name: string }>()
   * user.name // → "Ada"
   */
  bind<Output>(schema: StandardSchema<Output>): Promise<Output>
  bind<T = unknown>(): Promise<T>
  bind(schema?: StandardSchema): Promise<unknown> {
    return this.#reader.bind(schema)
  }

  /**
   * The body as text. @throws HttpError 413 over the limit, 400 for bytes that are not UTF-8, 415 for a body in a
   * `Content-Encoding` such as gzip.
   *
   * @example
   * // POST /notes hello
   * await c.text() // → "hello"
   */
  text(): Promise<string> {
    return this.#reader.text()
  }

  /**
   * The body as bytes, as they were sent: still encoded if there is a `Content-Encoding`, unless `bodyLimit()` decodes it.
   * @throws HttpError 413 over the limit.
   *
   * @example
   * // POST /notes hello
   * (await c.bytes()).length // → 5
   */
  bytes(): Promise<Uint8Array> {
    return this.#reader.bytes()
  }

  /**
   * The fields of a form. @throws HttpError 400 for an invalid form, whose broken part the message names, 413 over the
   * limit, 415 for another content type, and for a `Content-Encoding` such as gzip.
   *
   * @example
   * // POST /users name=Ada
   * (await c.form()).get("name") // → "Ada"
   */
  form(): Promise<FormData> {
    return this.#reader.form()
  }

  /**
   * A text field of a form; `""` if missing. @throws as {@link form} does.
   *
   * @example
   * // POST /users name=Ada
   * await c.formValue("name") // → "Ada"
   */
  formValue(name: string): Promise<string> {
    return this.#reader.formValue(name)
  }

  /**
   * A file of a form, with `name`, `size` in bytes and `type`; null if missing. @throws as {@link form} does.
   *
   * @example
   * // POST /users avatar=@ada.png
   * (await c.formFile("avatar"))?.name // → "ada.png"
   */
  formFile(name: string): Promise<File | null> {
    return this.#reader.formFile(name)
  }

  /**
   * The fields of a form, urlencoded or multipart, validated by a Standard Schema or against the type `T`. A field that
   * was left empty is absent where that is allowed, and a name that was sent once is a list where one is wanted.
   *
   * A schema gets text and `File`: `z.coerce.number()`, `v.pipe(v.string(), v.toNumber())` make numbers of it. For a type,
   * `fw dev`, `fw build` and `fw test` make the validator, which also makes numbers, booleans and dates of the text.
   *
   * @throws HttpError 400 with all `issues`, also about files that the options do not accept; otherwise as {@link form}
   * does. TypeError without a schema in a program that runs without these commands.
   * @example
   * // POST /users name=Ada
   * const user = await c.bindForm(userSchema)
   * user.name // → "Ada"
   */
  bindForm<Output>(schema: StandardSchema<Output>, options?: FormOptions): Promise<Output>
  bindForm<T>(options?: FormOptions): Promise<T>
  bindForm(schema?: StandardSchema | FormOptions, options?: FormOptions): Promise<unknown> {
    return mayBeUnawaited(bindForm(this, schema, options))
  }

  /**
   * The query string, validated by a Standard Schema or against the type `T`. {@link bindForm} says what happens to empty
   * and repeated values, and which commands make the validator of a type.
   *
   * @throws HttpError 400 with all `issues`. TypeError as {@link bindForm} does.
   * @example
   * // GET /users?name=Ada
   * const query = await c.bindQuery(userSchema)
   * query.name // → "Ada"
   */
  bindQuery<Output>(schema: StandardSchema<Output>): Promise<Output>
  bindQuery<T>(): Promise<T>
  bindQuery(schema?: StandardSchema): Promise<unknown> {
    return mayBeUnawaited(bindQuery(this, schema))
  }

  /**
   * The fields of a form, validated as {@link bindForm} does, for a page that shows the form again when it was refused.
   * Nothing is thrown for what does not fit: `form.ok` says whether it was valid, `form.data` is the valid data, and
   * `form.values` and `form.issues` are for the template.
   *
   * @throws HttpError as {@link form} does. TypeError as {@link bindForm} does.
   * @example
   * // POST /users nick=Ada
   * const form = await c.readForm(userSchema)
   * form.ok // → false
   * form.issues.name // → "required"
   */
  readForm<Output>(schema: StandardSchema<Output>, options?: FormOptions): Promise<Form<Output>>
  readForm<T>(options?: FormOptions): Promise<Form<T>>
  readForm(schema?: StandardSchema | FormOptions, options?: FormOptions): Promise<Form<unknown>> {
    return readForm(this, schema, options)
  }

  /**
   * The fields and files of a multipart form, one after the other, as they arrive: for uploads that are too large for
   * memory. `bodyLimit()` says how large the whole may be.
   *
   * @throws TypeError for options that are not valid; HttpError 400 for a broken form, 413 over a limit, 415 for another
   * content type and for a file whose type is not accepted.
   * @example
   * // POST /photos photo=@ada.png
   * for await (const part of c.parts({ maxFile: 5_000_000, types: ["image/png"] })) {
   *   if (part.name === "photo") await part.save(`/tmp/photo-${crypto.randomUUID()}`)
   * }
   */
  parts(options?: PartsOptions): AsyncGenerator<Part, void, undefined> {
    return partsOf(this, options)
  }
}
