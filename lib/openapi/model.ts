/** What is known of an application's handlers, as plain data: made by `bin/project/types/`, turned into a document by this directory. */

/** A type as JSON shows it. */
export type TypeData =
  /** Anything that JSON holds. */
  | { readonly kind: "any" }
  | { readonly kind: "never" }
  | { readonly kind: "number" | "integer" | "boolean" | "null" }
  | { readonly kind: "string"; readonly format?: string; readonly pattern?: string }
  /** Functions, symbols and undefined: JSON leaves out a property that holds one, and makes an item null. */
  | { readonly kind: "nothing" }
  /** JSON.stringify throws. */
  | { readonly kind: "bigint" }
  /** A file or bytes. */
  | { readonly kind: "binary" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly items: TypeData }
  | {
      readonly kind: "tuple"
      readonly items: readonly TupleItem[]
      readonly rest?: TypeData
      /** How many items stand after the rest; their types are among those of the rest. */
      readonly after?: number
    }
  | {
      readonly kind: "object"
      readonly properties: readonly PropertyData[]
      /** The values of all other keys. */
      readonly values?: TypeData
      /** The values of keys that a pattern matches. */
      readonly patterns?: readonly PatternValues[]
    }
  | { readonly kind: "union"; readonly members: readonly TypeData[] }
  /** One of {@link Description.types}, by its id. */
  | { readonly kind: "named"; readonly id: string }

/** Values under keys that match a regular expression. */
export interface PatternValues {
  readonly pattern: string
  readonly type: TypeData
}

/** One place of a tuple. */
export interface TupleItem {
  readonly type: TypeData
  readonly optional: boolean
}

/** One property of an object. */
export interface PropertyData {
  readonly name: string
  readonly type: TypeData
  readonly optional: boolean
  /** Its comment, without marks. */
  readonly comment?: string
}

/** A type that has a name of its own in the source. */
export interface NamedType {
  readonly id: string
  /** As its source calls it; `PageTask` for `Page<Task>`. */
  readonly name: string
  /** Where it is declared, relative to the project: with the name it says which type is meant. */
  readonly file: string
  readonly line: number
  /** The files of its type arguments, where it has some with a name. */
  readonly argumentFiles?: readonly string[]
  /** Its name was made for it, since its source gives it none. */
  readonly synthetic?: true
  readonly type: TypeData
  readonly comment?: string
}

/** A place in the project's source; lines count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
}

/** Something that could not be known, or that will go wrong. */
export interface Warning {
  readonly message: string
  readonly fix: string
  readonly at?: Place
}

/** Something of a request that a handler reads by a name. */
export interface Read {
  /** `field` and `file` are of a form. */
  readonly from: "path" | "query" | "header" | "cookie" | "field" | "file"
  readonly name: string
  readonly type: "string" | "integer" | "boolean" | "strings"
  /** What stands in where it is missing. */
  readonly fallback?: string | number | boolean
}

/** A body that a handler reads. */
export type BodyRead =
  | {
      readonly kind: "json"
      readonly type: TypeData
      /** The schema that validates it, by its id. */
      readonly schema?: string
    }
  /** A form of which not every field is known. */
  | { readonly kind: "form" }
  | { readonly kind: "text" }
  | { readonly kind: "bytes" }

/** An answer that a handler gives. */
export interface Answer {
  /** Null where it is known only when the program runs. */
  readonly status: number | null
  /** Null for an answer without a body; any type of media where only the program knows it. */
  readonly media: string | null
  readonly type?: TypeData
  /** An HttpError, answered by the app. */
  readonly error?: true
  /** Given to requests of these methods alone. */
  readonly methods?: readonly string[]
}

/** A header that is set on the answer, whichever it is. */
export interface SentHeader {
  readonly name: string
  /** Set for requests of these methods alone. */
  readonly methods?: readonly string[]
}

/** What is known of one function: a handler, a middleware, the proxy. */
export interface Facts {
  readonly reads: readonly Read[]
  readonly bodies: readonly BodyRead[]
  readonly answers: readonly Answer[]
  /** What its type declares that a request must bring, each as alternatives, as `@security` would say them. */
  readonly security: ReadonlyArray<readonly string[]>
  readonly headers?: readonly SentHeader[]
  /** Its comment where the scan sees none, since it is declared in another file. */
  readonly comment?: string
}

/** A route that `main.ts` registers by hand. */
export interface HandRoute {
  readonly method: string
  readonly pattern: string
  readonly at: Place
  readonly comment?: string
  readonly facts: Facts
}

/** A validator's own JSON Schema of what it takes, loaded by `--load`. */
export type JsonSchema = { readonly [key: string]: unknown }

/** What an app says of its document: `app.openapi({ title: "Tasks" })`. */
export interface DocumentInfo {
  readonly title?: string
  readonly version?: string
  readonly description?: string
  readonly server?: string
}

/** What `main.ts` tells. */
export interface MainDescription {
  /** Middleware that it puts around everything, in its order. */
  readonly global: readonly Facts[]
  /** The JSON that `app.onError()` answers errors with, in place of the usual form. */
  readonly error?: TypeData
  /** The statuses that it sends for errors of other statuses. */
  readonly errorStatuses?: ReadonlyMap<number, readonly number[]>
  /** The routes that it registers. */
  readonly byHand: readonly HandRoute[]
  /** What it gives to `app.openapi()`. */
  readonly info?: DocumentInfo
}

/** All that the types of an application tell. */
export interface Description extends MainDescription {
  /** By `file#export`, as in `app/api/route.ts#Get`. */
  readonly handlers: ReadonlyMap<string, Facts>
  /** By file. */
  readonly middleware: ReadonlyMap<string, Facts>
  readonly proxy?: Facts
  readonly types: readonly NamedType[]
  readonly schemas?: ReadonlyMap<string, JsonSchema>
  readonly warnings: readonly Warning[]
}
