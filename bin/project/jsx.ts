/** JSX in a project's modules. The project chooses its library; without one, there is an error. */
import type { Plugin } from "esbuild"

/** The JSX import if neither `tsconfig.json` nor the file sets one. */
const missingLibrary = "fw-without-jsx"

/** Options for modules with JSX. `compilerOptions.jsx` and a pragma in the file override them. */
export const jsxOptions = { jsx: "automatic", jsxImportSource: missingLibrary } as const

/** Refuses JSX if the project sets no library. */
export const jsxPlugin: Plugin = {
  name: "fw-jsx",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${missingLibrary}/`) }, () => ({
      errors: [
        {
          text: "this file contains JSX, but the project does not name a library for it",
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
