/** The specs of `fw css`. */
import { defineSpec } from "../cli/spec.ts"

const inputFlag = {
  type: "string",
  short: "i",
  value: "file",
  default: "styles/input.css",
  description: "Stylesheet to compile",
} as const
const outputFlag = {
  type: "string",
  short: "o",
  value: "file",
  shownDefault: "static/css/output.css, in the directory that staticDir names",
  description: "File for the compiled styles",
} as const

export const build = defineSpec({
  summary: "Compile the styles, minified",
  description: "Finds class names in all files of the project that git does not ignore.",
  flags: { input: inputFlag, output: outputFlag },
  examples: ["fw css build", "fw css build -i styles/admin.css -o static/css/admin.css"],
})

export const watch = defineSpec({
  summary: "Compile the styles again on every change",
  flags: { input: inputFlag, output: outputFlag },
})

export const install = defineSpec({
  anywhere: true,
  summary: "Download the CSS compiler, shared by all projects",
  description:
    "fw css build and fw css watch download it by themselves if it is missing. Set FW_CSS_BASE_URL to use a mirror, or FW_CSS_BINARY to use a compiler on disk.",
})

export const info = defineSpec({
  summary: "Show the CSS compiler and the styles of the project",
})
