/** Messages about downloads: the CSS compiler, and Node for executables. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"

/** The code of a download's errors. */
export type DownloadCode = "css_download" | "node_download"

/** What the user can do without the download. */
const alternatives: Readonly<Record<DownloadCode, string>> = {
  css_download: "Or set FW_CSS_BINARY to a compiler on disk, or FW_CSS_BASE_URL to a mirror.",
  node_download:
    "Or fetch the package on a machine with a network, with npm pack, and set FW_NODE_PACKAGES to the directory of the .tgz.",
}

export const downloadMessages = {
  "css_download.broken": (code: DownloadCode, url: string, reason: string) => [
    `the download of ${url} stopped before its end: ${reason}`,
    `Check the network and try again. ${alternatives[code]}`,
  ],
  "css_download.status": (code: DownloadCode, url: string, status: number, name: string, server: string) => [
    `${url} answers ${status}`,
    `Check that ${server} has ${name}. ${alternatives[code]}`,
  ],
  "css_download.unreachable": (code: DownloadCode, url: string, reason: string) => [
    `cannot reach ${url}: ${reason}`,
    `Check the network and try again. ${alternatives[code]}`,
  ],
  "css_download.npm": (release: string, npm: string) => [
    `${release}. The installation from npm failed too: ${npm}`,
    `Check the network and try again. ${alternatives.css_download}`,
  ],
  css_no_digest: (name: string, url: string, status: number) => [
    `no SHA-256 digest is known for ${name}: ${url} ${status >= 200 && status < 300 ? "does not list it" : `answers ${status}`}`,
    `Set FW_CSS_SHA256 to the digest from a source that you trust. ${alternatives.css_download}`,
  ],
} satisfies Messages

/** Creates an error about a download. */
export const downloadFault = createFaults(downloadMessages)
