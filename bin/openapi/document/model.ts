/** The facts that types contain about an application's handlers, as plain data. */
import type { OpenAPIOptions } from "../../../lib/mount/openapi-route.ts"
import type { SourceLocation } from "../../system/source-location.ts"

export type { SourceLocation } from "../../system/source-location.ts"

/** A type, described by the JSON of its values. */
export type TypeData =
  /** Any JSON value. */
  | {
      readonly kind: "any"
      /** Why requests cannot be checked against the type that this one replaces. */
      readonly problem?: TypeProblem
      /** The position of an `any` or `unknown` in the type of a request. */
      readonly anyAt?: SourceLocation
    }
  | { readonly kind: "never" }
  | { readonly kind: "number" | "integer" | "boolean" | "null" }
  | {
      readonly kind: "string"
      readonly format?: string
      readonly pattern?: string
      /** The media type of a file in a form. */
      readonly media?: string
      /** The parts of a template literal type. `pattern` is its regular expression. */
      readonly template?: readonly TemplatePart[]
    }
  /** A Date in a request: a text in the format of RFC 3339. */
  | { readonly kind: "date" }
  /** A bigint in a request: a text with an integer. */
  | { readonly kind: "integer-text" }
  /** A function, a symbol or undefined. JSON omits a property with such a value and writes null for an item. */
  | { readonly kind: "nothing" }
  /** A bigint in an answer. JSON.stringify throws for it. */
  | { readonly kind: "bigint" }
  /** A file, or bytes. */
  | { readonly kind: "binary" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly items: TypeData }
  | {
      readonly kind: "tuple"
      readonly items: readonly TupleItem[]
      readonly rest?: TypeData
      /** The types of the items after the rest. */
      readonly tail?: readonly TypeData[]
    }
  | {
      readonly kind: "object"
      readonly properties: readonly PropertyData[]
      /** The type of the values under all other keys. */
      readonly values?: TypeData
      /** The types of the values under keys that match a pattern. */
      readonly patterns?: readonly PatternValues[]
    }
  | { readonly kind: "union"; readonly members: readonly TypeData[] }
  /** An intersection: a value has all of these types. The tags of a comment limit the value further. */
  | { readonly kind: "all"; readonly members: readonly TypeData[]; readonly tags?: LimitingTags }
  /** A type in {@link Description.types}, by its id. */
  | { readonly kind: "named"; readonly id: string }

/** A comment with tags that limit a value. */
export interface LimitingTags {
  /** The property, type or tuple item that has the comment, as messages name it. */
  readonly subject: string
  readonly comment: string
}

/** A fixed text, or a placeholder for any text or number, in a template literal type. */
export type TemplatePart = { readonly text: string } | { readonly any: "string" | "number" | "integer" }

/** The values under keys that match a regular expression. */
export interface PatternValues {
  readonly pattern: string
  /** The parts of a template literal type. `pattern` is its regular expression. */
  readonly template?: readonly TemplatePart[]
  readonly type: TypeData
}

/** An item of a tuple. */
export interface TupleItem {
  readonly type: TypeData
  readonly optional: boolean
}

/** A property of an object. */
export interface PropertyData {
  readonly name: string
  readonly type: TypeData
  readonly optional: boolean
  /** The text of its comment. */
  readonly comment?: string
  /** The value that replaces a missing property in a request. */
  readonly default?: { readonly value: unknown }
}

/** A type that has a name in the source. */
export interface NamedType {
  readonly id: string
  /** Name in the source. `Page<Task>` has the name `PageTask`. */
  readonly name: string
  /** The file that declares it, relative to the project. Name and file together are unique. */
  readonly file: string
  readonly line: number
  /** The files of its named type arguments. */
  readonly argumentFiles?: readonly string[]
  /** True if its name was generated, because it has none in the source. */
  readonly synthetic?: true
  readonly type: TypeData
  readonly comment?: string
}

/** A mistake, or a part of the API that could not be described. */
export interface Warning {
  readonly message: string
  readonly fix: string
  readonly at?: SourceLocation
}

/** The reason why requests cannot be checked against a type. */
export interface TypeProblem extends Warning {
  /**
   * True for a mistake, such as a name that TypeScript does not find or a tag with an invalid value. It is an error
   * and not a warning.
   */
  readonly isMistake?: true
}

/** A note about a type against which requests can be checked. */
export interface Notice extends Warning {
  /** True if the type accepts every value. */
  readonly isOpen?: true
}

/** A value of a request that a handler reads by its name. */
export interface ValueRead {
  /** Where the value is. `field` and `file` are parts of a form. */
  readonly from: "path" | "query" | "header" | "cookie" | "field" | "file"
  readonly name: string
  readonly type: "string" | "integer" | "boolean" | "strings"
  /** The value that replaces a missing one. */
  readonly fallback?: string | number | boolean
}

/** A body that a handler reads, or a query that it binds to a type. */
export type BodyRead = (
  | {
      /** `query` is the query string. */
      readonly kind: "json" | "form" | "query"
      readonly type: TypeData
      /** The id of the schema that validates it. */
      readonly schema?: string
    }
  /** A form whose fields are read by name, without a schema. */
  | { readonly kind: "fields" }
  /** A multipart form whose parts are read one after the other. */
  | { readonly kind: "parts" }
  | { readonly kind: "text" }
  | { readonly kind: "bytes" }
) & {
  /** The request methods for which it is read. */
  readonly methods?: readonly string[]
}

/** A response of a handler. */
export interface AnswerFacts {
  /** The status; null if it is computed at run time. */
  readonly status: number | null
  /**
   * The media type; null for a response without a body. It may be a wildcard, which stands for one that is computed
   * at run time.
   */
  readonly media: string | null
  readonly type?: TypeData
  /** True for an HttpError, whose response the app creates. */
  readonly error?: true
  /** The request methods for which it is sent. */
  readonly methods?: readonly string[]
  /** True if a middleware sends it. Such a response does not have the headers that the handler sets. */
  readonly outer?: true
  /** The position of the call of `c.json()` that creates it: the line of the method's name. */
  readonly at?: SourceLocation
}

/** A header that every response gets. */
export interface SentHeader {
  readonly name: string
  /** The request methods for which it is set. */
  readonly methods?: readonly string[]
}

/** Facts about a handler, a middleware or the proxy. */
export interface Facts {
  readonly reads: readonly ValueRead[]
  readonly bodies: readonly BodyRead[]
  readonly answers: readonly AnswerFacts[]
  /** The security that its type declares. Each item is a list of alternatives, as in `@security`. */
  readonly security: ReadonlyArray<readonly string[]>
  readonly headers?: readonly SentHeader[]
  /** The doc comment of the function. */
  readonly comment?: string
}

/** A route that the main file registers. */
export interface RegisteredRoute {
  readonly method: string
  readonly pattern: string
  readonly at: SourceLocation
  readonly comment?: string
  readonly facts: Facts
}

/** The JSON Schema for the input of a validator, loaded with `--load`. */
export type JSONSchema = { readonly [key: string]: unknown }

/** The options that the program passes to `app.openapi()`: `app.openapi({ title: "Tasks" })`. */
export type DocumentInfo = Omit<OpenAPIOptions, "path">

/** Facts from the main file. */
export interface MainDescription {
  /** The middleware of all routes, in order. */
  readonly global: readonly Facts[]
  /** The type of the JSON with which `app.onError()` answers errors, if it is not the default. */
  readonly error?: TypeData
  /** The media types of these answers to errors. */
  readonly errorMedias?: readonly string[]
  /** The statuses that `app.onError()` sends, by the status of the error. */
  readonly errorStatuses?: ReadonlyMap<number, readonly number[]>
  /** The statuses that it sends for a 400 with issues, if they differ from those for any other 400. */
  readonly issueStatuses?: readonly number[]
  /** The routes that the main file registers. */
  readonly registeredRoutes: readonly RegisteredRoute[]
  /** The options that it passes to `app.openapi()`. */
  readonly info?: DocumentInfo
}

/** All facts from the types of an application. */
export interface AppDescription extends MainDescription {
  /** The facts about handlers, by file and export: `app/api/route.ts#Get`. */
  readonly handlers: ReadonlyMap<string, Facts>
  /** The facts about middleware, by file. */
  readonly middleware: ReadonlyMap<string, Facts>
  readonly proxy?: Facts
  readonly types: readonly NamedType[]
  readonly schemas?: ReadonlyMap<string, JSONSchema>
  readonly warnings: readonly Warning[]
}
