/** JSX in a project's modules. Its library is the project's choice; one that names none is told so. Used by the bundles of dev and build. */
import type { Plugin } from "esbuild"

/** What JSX imports where neither `tsconfig.json` nor the file says what. */
const nothing = "fw-without-jsx"

/** How modules with JSX are translated. `compilerOptions.jsx` and a pragma in the file take the place of this. */
export const jsxOptions = { jsx: "automatic", jsxImportSource: nothing } as const

/** Refuses JSX for which the project names no library. */
export const jsxSetup: Plugin = {
  name: "fw-jsx",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${nothing}/`) }, () => ({
      errors: [
        {
          text: "this file holds JSX, and the project names no library for it",
          notes: [
            {
              text: 'Install one, and write "jsx": "react-jsx" and "jsxImportSource": "hono/jsx" (or "preact", "react") in the compilerOptions of tsconfig.json.',
            },
          ],
        },
      ],
    }))
  },
}
