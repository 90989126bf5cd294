/**
 * Options for JSX in a project's modules. The project chooses the JSX library; without a choice, JSX is an error.
 */
import type { Plugin } from "esbuild"

/** The import that JSX causes if neither `tsconfig.json` nor the file chooses a library. */
const missingLibrary = "fw-without-jsx"

/** The esbuild options for JSX. `compilerOptions.jsx` and a pragma in a file override them. */
export const jsxOptions = { jsx: "automatic", jsxImportSource: missingLibrary } as const

/** Reports JSX in a project that has not chosen a library. */
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
