/** Flags that several commands share. */

/** `--port`; each command has a default of its own. */
export const port = {
  type: "number",
  short: "p",
  min: 0,
  max: 65535,
  description: "Port to listen on; 0 takes a free one",
} as const

/** `--limit` and `--offset`: the part of a long list that is shown. */
export const page = {
  limit: {
    type: "number",
    min: 1,
    max: 1000,
    default: 100,
    description: "How many entries of the list to show",
  },
  offset: {
    type: "number",
    min: 0,
    max: 1_000_000,
    default: 0,
    description: "How many entries of the list to leave out at its start",
  },
} as const

/** `--app-dir`: where the routes are. */
export const appDir = {
  type: "string",
  short: "d",
  value: "dir",
  default: "app",
  description: "Directory of the routes",
} as const
