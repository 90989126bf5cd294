/** Flags that several commands share. */

/** `--app-dir`: where the routes are. */
export const appDir = {
  type: "string",
  short: "d",
  value: "dir",
  default: "app",
  description: "Directory of the routes",
} as const
