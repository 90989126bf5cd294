/** Facts about an application's handlers, as plain data, read from their types. */
import type { SourceLocation } from "../../system/source-location.ts"

export type { SourceLocation } from "../../system/source-location.ts"

/** A type, in the form that its values have in JSON. */
export type TypeData =
  /** Any JSON value. */
  | {
      readonly kind: "any"
      /** The reason, if it stands for a type against which a request cannot be checked. */
      readonly refused?: TypeProblem
      /** The place, if a request has the type `any` or `unknown`. */
      readonly open?: SourceLocation
    }
  | { readonly kind: "never" }
  | { readonly kind: "number" | "integer" | "boolean" | "null" }
  | {
      readonly kind: "string"
      readonly format?: string
      readonly pattern?: string
      readonly media?: string
      /** The parts of a template literal type, which `pattern` describes as a regular expression. */
      readonly template?: readonly TemplatePart[]
    }
  /** A Date in a request: an RFC 3339 text. */
  | { readonly kind: "date" }
  /** A bigint in a request: a text with an integer. */
  | { readonly kind: "integer-text" }
  /** Functions, symbols and undefined: JSON omits a property with such a value, and writes null for an item. */
  | { readonly kind: "nothing" }
  /** A bigint, for which JSON.stringify throws. */
  | { readonly kind: "bigint" }
  /** A file or bytes. */
  | { readonly kind: "binary" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly items: TypeData }
  | {
      readonly kind: "tuple"
      readonly items: readonly TupleItem[]
      readonly rest?: TypeData
      /** The items after the rest. */
      readonly tail?: readonly TypeData[]
    }
  | {
      readonly kind: "object"
      readonly properties: readonly PropertyData[]
      /** Type of the values of all other keys. */
      readonly values?: TypeData
      /** Types of the values of keys that match a pattern. */
      readonly patterns?: readonly PatternValues[]
    }
  | { readonly kind: "union"; readonly members: readonly TypeData[] }
  /**
   * A value that has the types of all members. The members are of one kind, and the tags of a comment limit the value
   * further.
   */
  | { readonly kind: "all"; readonly members: readonly TypeData[]; readonly tags?: LimitingTags }
  /** One of {@link Description.types}, by its id. */
  | { readonly kind: "named"; readonly id: string }

/** A comment whose tags limit a value. */
export interface LimitingTags {
  /** The property, the type or the place that has the comment, in the words of a message. */
  readonly of: string
  readonly comment: string
}

/** A text, or any text or number in a template literal type. */
export type TemplatePart = { readonly text: string } | { readonly any: "string" | "number" | "integer" }

/** Values under keys that match a regular expression. */
export interface PatternValues {
  readonly pattern: string
  /** The parts of a template literal type, which `pattern` describes. */
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
  /** Its comment, without marks. */
  readonly comment?: string
  /** The value that replaces a missing one in a request. */
  readonly default?: { readonly value: unknown }
}

/** A type that has its own name in the source. */
export interface NamedType {
  readonly id: string
  /** Name in the source; `PageTask` for `Page<Task>`. */
  readonly name: string
  /** File that declares it, relative to the project. Name and file together identify a type. */
  readonly file: string
  readonly line: number
  /** Files of its named type arguments. */
  readonly argumentFiles?: readonly string[]
  /** True if its name was generated because the source has none. */
  readonly synthetic?: true
  readonly type: TypeData
  readonly comment?: string
}

/** A part of the API that could not be described, or that is a mistake. */
export interface Warning {
  readonly message: string
  readonly fix: string
  readonly at?: SourceLocation
}

/** A type against which a request cannot be checked. */
export interface TypeProblem extends Warning {
  /** True if it is a mistake, such as a name that TypeScript does not find, or a tag without a valid value: an error, not a warning. */
  readonly isMistake?: true
}

/** A note on a type that can be checked. */
export interface Notice extends Warning {
  /** True if the type accepts every value. */
  readonly isOpen?: true
}

/** A value of a request that a handler reads by name. */
export interface ValueRead {
  /** `field` and `file` belong to forms. */
  readonly from: "path" | "query" | "header" | "cookie" | "field" | "file"
  readonly name: string
  readonly type: "string" | "integer" | "boolean" | "strings"
  /** Value that replaces a missing one. */
  readonly fallback?: string | number | boolean
}

/** A body that a handler reads, or a query that it binds as a whole. */
export type BodyRead = (
  | {
      /** `query` is the query string. */
      readonly kind: "json" | "form" | "query"
      readonly type: TypeData
      /** Id of the schema that validates it. */
      readonly schema?: string
    }
  /** A form that no schema describes. */
  | { readonly kind: "fields" }
  /** A multipart form that is read part by part. */
  | { readonly kind: "parts" }
  | { readonly kind: "text" }
  | { readonly kind: "bytes" }
) & {
  /** Read only for these request methods. */
  readonly methods?: readonly string[]
}

/** A response of a handler. */
export interface AnswerFacts {
  /** The status; null if it is known only at run time. */
  readonly status: number | null
  /**
   * The media type; null for a response without a body. If it is known only at run time, it stands for any media
   * type.
   */
  readonly media: string | null
  readonly type?: TypeData
  /** True for an HttpError, which the app answers. */
  readonly error?: true
  /** Sent only for these request methods. */
  readonly methods?: readonly string[]
  /** True if a middleware around the handler sends it, without the headers that the handler sets. */
  readonly outer?: true
  /** The call of `c.json()` that makes it: the line of the method's name. */
  readonly at?: SourceLocation
}

/** A header that is set on every response. */
export interface SentHeader {
  readonly name: string
  /** Set only for these request methods. */
  readonly methods?: readonly string[]
}

/** Facts about a function: a handler, a middleware or the proxy. */
export interface Facts {
  readonly reads: readonly ValueRead[]
  readonly bodies: readonly BodyRead[]
  readonly answers: readonly AnswerFacts[]
  /** Security that its type declares, each as alternatives, as in `@security`. */
  readonly security: ReadonlyArray<readonly string[]>
  readonly headers?: readonly SentHeader[]
  /** Its comment, if it is declared in another file that the scan does not read. */
  readonly comment?: string
}

/** A route that `main.ts` registers by hand. */
export interface RegisteredRoute {
  readonly method: string
  readonly pattern: string
  readonly at: SourceLocation
  readonly comment?: string
  readonly facts: Facts
}

/** The JSON Schema that a validator provides for its input, loaded with `--load`. */
export type JSONSchema = { readonly [key: string]: unknown }

/** Options of the document in the program: `app.openapi({ title: "Tasks" })`. */
export interface DocumentInfo {
  readonly title?: string
  readonly version?: string
  readonly description?: string
  readonly server?: string
  /** Patterns of the paths to include; all others are left out. */
  readonly include?: readonly string[]
  /** Patterns of the paths to leave out. */
  readonly exclude?: readonly string[]
}

/** Facts from `main.ts`. */
export interface MainDescription {
  /** Middleware of all routes, in its order. */
  readonly global: readonly Facts[]
  /** The JSON with which `app.onError()` answers errors, if it differs from the default. */
  readonly error?: TypeData
  /** The media types of that JSON. */
  readonly errorMedias?: readonly string[]
  /** Statuses that the app sends in place of the statuses of errors. */
  readonly errorStatuses?: ReadonlyMap<number, readonly number[]>
  /** Statuses that replace the 400 of an error with issues, if they differ from those that replace other 400s. */
  readonly issueStatuses?: readonly number[]
  /** Routes that it registers. */
  readonly registeredRoutes: readonly RegisteredRoute[]
  /** Options that it passes to `app.openapi()`. */
  readonly info?: DocumentInfo
}

/** All facts about an application from its types. */
export interface AppDescription extends MainDescription {
  /** The handlers by `file#export`, as in `app/api/route.ts#Get`. */
  readonly handlers: ReadonlyMap<string, Facts>
  /** By file. */
  readonly middleware: ReadonlyMap<string, Facts>
  readonly proxy?: Facts
  readonly types: readonly NamedType[]
  readonly schemas?: ReadonlyMap<string, JSONSchema>
  readonly warnings: readonly Warning[]
}
