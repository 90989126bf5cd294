/** Messages about a file that could not be downloaded: the CSS compiler, or Node for executables. */
import { faultsOf, type Messages } from "../../lib/catalogue.ts"

const css = "Or set FW_CSS_BINARY to a compiler on disk, or FW_CSS_BASE_URL to a mirror."
const node =
  "Or fetch the package on a machine with a network, with npm pack, and set FW_NODE_PACKAGES to the directory of the .tgz."

type Status = [url: string, status: number, name: string, server: string]
type Failure = [url: string, reason: string]

export const downloadMessages = {
  "css_download.broken": (...facts: Failure) => broken(facts, css),
  "css_download.status": (...facts: Status) => refused(facts, css),
  "css_download.unreachable": (...facts: Failure) => unreachable(facts, css),
  "css_download.npm": (release: string, npm: string) => [
    `${release}. The installation from npm failed too: ${npm}`,
    `Check the network and try again. ${css}`,
  ],
  css_no_digest: (name: string, url: string, status: number) => [
    `no SHA-256 digest is known for ${name}: ${url} ${status >= 200 && status < 300 ? "does not list it" : `answers ${status}`}`,
    `Set FW_CSS_SHA256 to the digest from a source that you trust. ${css}`,
  ],
  "node_digest.archive": (source: string, reason: string) => [
    `${source} is not a package: ${reason}`,
    `Check where npm gets packages from. ${node}`,
  ],
  "node_download.broken": (...facts: Failure) => broken(facts, node),
  "node_download.status": (...facts: Status) => refused(facts, node),
  "node_download.unreachable": (...facts: Failure) => unreachable(facts, node),
} satisfies Messages

/** Makes the error of a download. */
export const downloadFault = faultsOf(downloadMessages)

function broken([url, reason]: Failure, otherWays: string): [what: string, fix: string] {
  return [
    `the download of ${url} stopped before its end: ${reason}`,
    `Check the network and try again. ${otherWays}`,
  ]
}

function refused([url, status, name, server]: Status, otherWays: string): [what: string, fix: string] {
  return [`${url} answers ${status}`, `Check that ${server} has ${name}. ${otherWays}`]
}

function unreachable([url, reason]: Failure, otherWays: string): [what: string, fix: string] {
  return [`cannot reach ${url}: ${reason}`, `Check the network and try again. ${otherWays}`]
}
