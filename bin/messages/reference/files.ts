/** The error reference of files and directories. */
import { fileMessages } from "../files.ts"
import { entriesOf } from "./entry.ts"

export const files = entriesOf(fileMessages, {
  directory: ["`fw generate templates` takes a directory of the project.", { directory: ["../shared"] }],
  exists: [
    "fw does not overwrite files that it did not write. `--force` allows it for commands that have this flag.",
    {
      exists: [["app/api/users/route.ts"]],
      "exists.irregular": ["app/api/users/route.ts"],
      "exists.middleware": [
        "app/middleware.ts already exists",
        "Nothing was written. Choose another path, or overwrite with --force.",
        "authMiddleware",
      ],
      "exists.openapi": ["openapi.json"],
      "exists.here": ["notes.txt"],
      "exists.project": ["shop", "full", "package.json and 3 more"],
    },
  ],
  outside: [
    "A command writes only inside of the project, also through symbolic links. A tool of the MCP server reads only inside of it.",
    {
      outside: ["app/../../x/route.ts", "app"],
      "outside.argument": ["spec", "../secrets.json"],
      "outside.link": ["openapi.json", "openapi.json", undefined],
    },
  ],
  unreadable: ["", { "unreadable.kind": ["tsconfig.json", "a named pipe"] }],
  unwritable: [
    "The system refuses to write a file, or something else than a regular file is at its place. fw never replaces devices, named pipes, sockets and directories.",
    {
      unwritable: ["openapi.json", "EACCES: permission denied", undefined],
      "unwritable.full": ["openapi.json", "ENOSPC: no space left on device"],
      "unwritable.kind": ["openapi.json", "a named pipe", "a file", undefined],
    },
  ],
  watch: [
    "`fw dev`, `fw css watch` and `fw openapi serve` watch files for changes. Linux limits the number of watched files per user.",
    { watch: ["/home/ada/shop", "ENOSPC: System limit for number of file watchers reached", true] },
  ],
})
