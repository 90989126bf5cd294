/** Tools for language models, as plain data. fw makes them from routes, and the program serves them. */

/** A JSON Schema. */
export type ToolSchema = { readonly [key: string]: unknown }

/** Hints about a tool (MCP 2025-11-25, ToolAnnotations). */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

/** What clients see of a tool. */
export interface ToolDescription {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** The JSON Schema of the arguments, which are an object. */
  readonly inputSchema: ToolSchema
  /** The JSON Schema of the structured content, which is an object. Without it, the answer is text only. */
  readonly outputSchema?: ToolSchema
  readonly annotations: ToolAnnotations
}

/** An argument that is part of the URL. */
export interface ToolParameter {
  readonly argument: string
  /** The name in the path or in the query. */
  readonly name: string
  readonly in: "path" | "query"
}

/** The body of the request that a tool makes. */
export interface ToolBody {
  readonly kind: "json" | "form" | "text"
  /**
   * The argument that is the whole body. If it is missing, all arguments that are not parameters are properties of the
   * body.
   */
  readonly argument?: string
}

/** A tool, and how its arguments become a request. */
export interface Tool {
  readonly description: ToolDescription
  readonly method: string
  /** The pattern of the route, as the route tree has it. */
  readonly route: string
  /** The pattern in {@link route}, with the arguments' names for its parameters. */
  readonly path: string
  /** The name of the argument for the final `*`. */
  readonly rest?: string
  readonly parameters: readonly ToolParameter[]
  readonly body?: ToolBody
}

/** All tools of an application, as fw writes them to a file. */
export interface ToolSet {
  /** The title and the version of the API. */
  readonly name: string
  readonly version: string
  readonly tools: readonly Tool[]
}
