/** The specs of `fw css`. Read by the table, and by each command for its options. */
import { spec } from "../spec.ts"

const stylesheet = {
  type: "string",
  short: "i",
  value: "file",
  default: "styles/input.css",
  description: "The styles",
} as const
const compiled = {
  type: "string",
  short: "o",
  value: "file",
  default: "static/css/output.css",
  description: "Where the compiled styles go",
} as const

/** `fw css build` */
export const build = spec({
  summary: "Compile the styles, minified",
  description: "Classes are looked for in all files of the project that git does not ignore.",
  flags: { input: stylesheet, output: compiled },
  examples: ["fw css build", "fw css build -i styles/admin.css -o static/css/admin.css"],
})

/** `fw css watch` */
export const watch = spec({
  summary: "Compile the styles again on every change",
  flags: { input: stylesheet, output: compiled },
})

/** `fw css install` */
export const install = spec({
  anywhere: true,
  summary: "Download the CSS compiler, which all projects share",
  description:
    "Build and watch do this by themselves. FW_CSS_BASE_URL names a mirror, FW_CSS_BINARY a compiler on disk.",
})

/** `fw css info` */
export const info = spec({
  summary: "Show the CSS compiler and the styles of this project",
})
