/** The text of a strict tsconfig.json, for the projects of tests that read types. */
export const strictConfig = JSON.stringify({
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    strict: true,
    noEmit: true,
    types: [],
    allowImportingTsExtensions: true,
  },
})
