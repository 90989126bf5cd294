/** Flags that several commands share. */

/** `--port`; each command has a default of its own. */
export const port = {
  type: "number",
  short: "p",
  min: 0,
  max: 65535,
  description: "Port to listen on; 0 takes a free one",
} as const

/** `--app-dir`: where the routes are. */
export const appDir = {
  type: "string",
  short: "d",
  value: "dir",
  default: "app",
  description: "Directory of the routes",
} as const
