/** Tools for language models, as plain data: fw makes them of routes, and the program serves them. */

/** A JSON Schema. */
export type ToolSchema = { readonly [key: string]: unknown }

/** Hints about a tool (MCP 2025-11-25, ToolAnnotations). */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

/** The part of a tool that clients see. */
export interface ToolDescription {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Schema of the arguments, an object. */
  readonly inputSchema: ToolSchema
  /** Schema of the structured content, an object. Without it, the answer is only text. */
  readonly outputSchema?: ToolSchema
  readonly annotations: ToolAnnotations
}

/** An argument that is part of the URL. */
export interface ToolParameter {
  readonly argument: string
  /** Name in the path or in the query. */
  readonly name: string
  readonly in: "path" | "query"
}

/** The body that a tool sends. */
export interface ToolBody {
  readonly kind: "json" | "form" | "text"
  /** The argument that is the whole body. Without it, all arguments that are not parameters are its properties. */
  readonly argument?: string
}

/** A tool, and the request that a call of it makes. */
export interface Tool {
  readonly description: ToolDescription
  readonly method: string
  /** Pattern of the route in the tree. */
  readonly route: string
  /** The same with the names of the parameters. */
  readonly path: string
  /** Name of the final `*` of the path. */
  readonly rest?: string
  readonly parameters: readonly ToolParameter[]
  readonly body?: ToolBody
}

/** The tools of an application, as fw writes them. */
export interface ToolSet {
  /** Title and version of the API. */
  readonly name: string
  readonly version: string
  readonly tools: readonly Tool[]
}
