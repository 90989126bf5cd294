/** Messages about the options of `mcp()`. */
import type { Messages } from "./message.ts"

const listOptions = {
  hosts: ["host names without a scheme and a port", 'hosts: ["shop.example"]'],
  headers: ["names of request headers", 'headers: ["x-tenant"]'],
  "authorization.servers": ["URLs of authorization servers", 'authorization: { servers: ["https://login.example"] }'],
  "authorization.scopes": ["names of scopes", 'scopes: ["tasks"]'],
} as const

/** An option of `mcp()` whose value is a list. */
export type MCPList = keyof typeof listOptions

export const mcpMessages = {
  "mcp_options.list": (name: MCPList) => {
    const [content, example] = listOptions[name]
    return [`mcp() takes a list of ${content} for ${name}`, `Write ${example}.`]
  },
  "mcp_options.limit": (value: unknown) => [
    `mcp() was given the answerLimit ${String(value)}, which is not a number of characters`,
    "Write a whole number, such as 40_000.",
  ],
} satisfies Messages
