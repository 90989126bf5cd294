/** Messages about `fw build`: the bundle, native code, Node for executables. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"
import { formatProblems } from "../../lib/messages/scan.ts"

export const buildMessages = {
  build_external: (name: string) => [
    `${name} stays outside of the bundle ("external"), and it is not installed`,
    `Install it: npm install ${name}. Or remove it from "external", or also name it in "optional" if the program runs without it.`,
  ],
  "build_external.worker": (name: string) => [
    `${name} cannot stay outside of the bundle ("external"): a worker has no files next to it`,
    `Leave ${name} out of "external" in package.json, and give --external ${name} to the builds for other targets.`,
  ],
  build_machine: (node: string, machine: string, machines: readonly string[]) => [
    `there is no Node ${node} package for ${machine}`,
    `Executables can be built for ${machines.join(", ")}. For another machine use --target node with a Node that is installed there.`,
  ],
  "build_machine.here": (machine: string, machines: readonly string[]) => [
    `an executable for this machine, ${machine}, cannot be built`,
    `Name another machine with --os and --arch: ${machines.join(", ")}. Or use --target node.`,
  ],
  build_macho: (reason: string) => [
    `the Node for darwin cannot be made into an executable: ${reason}`,
    "This is a bug in fw. Please report it with the target and the version of fw.",
  ],
  "build_output.directory": (path: string, kind: string, flag: string, example: string) => [
    `${path} is a directory, but the ${kind} is a file`,
    `Name a file in it: ${flag} ${example}.`,
  ],
  "build_output.foreign": (path: string) => [
    `${path} was not written by fw build, so it is not overwritten`,
    "Name another directory with --output, or remove it.",
  ],
  "build_output.inside": (path: string, source: string, flag: string) => [
    `${path} is inside ${source}/, which is part of the project's source`,
    `Name a place outside of it with ${flag}, such as ${flag === "--image" ? "image.tar" : "bin/app"}.`,
  ],
  "build_output.kind": (path: string, kind: string, flag: string) => [
    `${path} is not an ${kind}, so it is not overwritten`,
    `Name another file with ${flag}, or remove it.`,
  ],
  build_pe: () => [
    "the Node for windows is not a 64-bit Windows program",
    "This is a bug in fw. Please report it with the version of fw.",
  ],
  build_space: (path: string, free: number, needed: number, flag: string) => [
    `the disk of ${path} has ${free} MB of free space, but a build needs ${needed} MB`,
    `Make room, or name a file on another disk with ${flag}.`,
  ],
  bundle: (message: string, fix?: string) => [message, fix ?? "Fix the file."],
  "bundle.several": formatProblems,
  esbuild_missing: () => [
    "esbuild, which bundles the project, is not installed in the project",
    "Install it: npm install --save-dev esbuild",
  ],
  fw_version: () => [
    "the version of fw that is installed in this project does not fit this command",
    "Run the project's own command, npx fw build, or install this command's version of fw in the project.",
  ],
  image_base: (path: string) => [
    `${path} is not an OCI archive`,
    'Write one with skopeo: skopeo copy docker://docker.io/library/node:26-slim oci-archive:base.tar. "docker save" writes one from Docker 25 on.',
  ],
  "image_base.unreadable": (path: string, reason: string) => [
    `${path}, the image to build on, cannot be read: ${reason}`,
    "Name the file of an OCI archive with --base.",
  ],
  "image_base.damaged": (path: string, reason: string) => [
    `${path}, the image to build on, is damaged: ${reason}`,
    "Write the archive again.",
  ],
  "image_base.machine": (path: string, machine: string) => [
    `${path}, the image to build on, has no image for ${machine}`,
    "Name the archive of such an image, or choose another processor with --arch.",
  ],
  image_libraries: (library: string, machine: string, name?: string) => [
    `${library}, which the program needs, is not on this machine for ${machine}`,
    `${name === undefined ? "Install it" : `Install it (on Debian: apt-get install -y ${name})`}, or name an image that has it with --base.`,
  ],
  "image_libraries.none": (machine: string) => [
    `this machine has no glibc for ${machine}, which the image needs`,
    "Build on a Linux with glibc, or name an image that has it with --base. On Debian, apt-get install -y libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross gives the libraries for arm64.",
  ],
  "native_machine.addon": (file: string, machine: string) => [
    `${file} is not a native addon for ${machine}`,
    "Build the addon for that machine, or run fw build on such a machine.",
  ],
  native_machine: (name: string, machine: string, os: string, cpu: string) => [
    `${name} has native code, but none for ${machine} is installed`,
    `Install that too, then build again: npm install --no-save --force --os=${os} --cpu=${cpu} ${name}. Or build on such a machine.`,
  ],
  native_node: (name: string, version: number, node: string, neededVersion: number, replacement?: string) => [
    `the native code of ${name} is compiled for another Node (NODE_MODULE_VERSION ${version}): the executable contains Node ${node}, which needs ${neededVersion}`,
    `${replacement ?? "Use a package whose native code uses Node-API, which every Node can load."} Or install ${name} with Node ${node.split(".")[0]}, or build for the Node that you have: fw build --target node.`,
  ],
  "native_node.runtime": (runtime: string, name: string, replacement?: string) => [
    `${runtime} does not load the native code of ${name}, which is compiled for one version of Node`,
    `${replacement ?? `Use a package whose native code uses Node-API, which ${runtime} loads.`} Or build for Node: fw build --target node.`,
  ],
  native_versions: (name: string) => [
    `two versions of ${name}, a package with native code, are imported`,
    `Use one version only. npm ls ${name} shows which packages need which version.`,
  ],
  node_cache: (directory: string, reason: string) => [
    `Node cannot be written to ${directory}: ${reason}`,
    "Give this user write access there and about 300 MB of free space.",
  ],
  node_digest: (source: string, integrity: string, expected: string) => [
    `${source} has the integrity ${integrity}, not ${expected}: it is damaged, or it is another file`,
    "Nothing was installed. Try again. If it happens again, do not trust that source.",
  ],
  "node_download.given": (reason: string) => [
    `the directory FW_NODE_PACKAGES contains no package that can be read: ${reason}`,
    "Put the .tgz there that npm pack writes, or unset FW_NODE_PACKAGES to download it.",
  ],
  not_built: (path: string) => [
    `there is no ${path}, so there is nothing to run`,
    "Make it: fw build --target node. In development, run fw dev.",
  ],
  "prerender.conflict": (file: string, other: string) => [
    `${file} is a file, and ${other} needs a directory of this name`,
    `Give the path of the file an ending, such as ${file}.json.`,
  ],
  "prerender.failed": (path: string, message: string, fix?: string) => [
    `${path === "" ? "a page" : path} cannot be made at build time: ${message}`,
    fix ?? "Fix the error. If the page needs what only a running server has, take prerender out.",
  ],
  "prerender.none": () => [
    "nothing is made at build time, so there is nothing for a static host",
    "Write export const prerender = true into a page, or build for a server: fw build.",
  ],
  "prerender.read": (path: string, use: string) => [
    `${path} is made at build time, one answer for every client, and it ${use}`,
    "Take prerender out, or read it in the browser.",
  ],
  "prerender.several": formatProblems,
  "prerender.site": (path: string) => [
    `${path} is made at build time and reads c.origin, and the address of the site is not known`,
    'Name it: "fw": { "site": "https://example.org" } in package.json, or --site https://example.org.',
  ],
  "prerender.start": (message: string, fix?: string) => [
    `the program does not start, so its pages cannot be made: ${message}`,
    fix ?? "Fix the error. The build runs the program with the variables of its own environment.",
  ],
  "prerender.taken": (path: string, other: string) => [
    `prerender() lists ${path}, which ${other} answers`,
    "Take it out of the list.",
  ],
  "prerender.list": (names: readonly string[], result: string) => [
    `prerender() does not return a list with the text of each parameter, and has ${result}`,
    `Return an object for each path: [{ ${names.map((name) => `${name}: "a"`).join(", ")} }].`,
  ],
  "prerender.middleware": (path: string, use: string) => [
    `${path} is made at build time, and it ${use}, which nothing has set: no middleware runs then`,
    "Compute the value in the page, or take prerender out.",
  ],
} satisfies Messages

/** Creates an error about a build. */
export const buildFault = createFaults(buildMessages)
