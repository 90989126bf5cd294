/** Flags that several commands share. */

/** `--port`. Each command sets its own default. */
export const portFlag = {
  type: "number",
  short: "p",
  min: 0,
  max: 65535,
  description: "Port to listen on; 0 picks a free one",
} as const

/** `--limit` and `--offset`, which select a part of a long list. */
export const pageFlags = {
  limit: {
    type: "number",
    min: 1,
    max: 1000,
    default: 100,
    description: "Entries to show",
  },
  offset: {
    type: "number",
    min: 0,
    max: 1_000_000,
    default: 0,
    description: "Entries to skip",
  },
} as const

/** `--app-dir`: the route directory. */
export const appDirFlag = {
  type: "string",
  short: "d",
  value: "dir",
  default: "app",
  description: "Route directory",
} as const

/** `--strict`, which turns types that cannot be checked into errors. */
export const strictFlag = {
  type: "boolean",
  description: "Make it an error if a type, such as that of c.bind<T>(), cannot be checked",
} as const
