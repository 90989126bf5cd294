/** Messages about styles and the standalone CSS compiler. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"

export const cssMessages = {
  css_binary: (path: string) => [
    `FW_CSS_BINARY is ${path}, but there is no such file`,
    "Correct the path, or unset FW_CSS_BINARY.",
  ],
  "css_binary.start": (binary: string, reason: string, isMissing: boolean) => [
    `the CSS compiler ${binary} does not start: ${reason}`,
    // For a program that needs another C library, the system reports that the file does not exist.
    isMissing
      ? "The compiler needs glibc. On a system without glibc, such as Alpine, set FW_CSS_BINARY to a compiler for musl."
      : "Delete it and run fw css install, or set FW_CSS_BINARY to a program that this user may run.",
  ],
  css_cache: (directory: string, reason: string) => [
    `the CSS compiler cannot be written to ${directory}: ${reason}`,
    "Give this user write access there and about 150 MB of free space, or set FW_CSS_BINARY to a compiler on disk.",
  ],
  css_compile: (message: string, frame?: string) => [
    `the styles do not compile: ${message}${frame ? `\n\n${frame}\n` : ""}`,
    "Fix the styles and build again.",
  ],
  "css_compile.ended": (how: string, output: readonly string[]) => [
    `the CSS compiler ${how}${output.length > 0 ? `:\n${output.join("\n")}` : ""}`,
    "Fix what it reports. If that does not help, install it again: delete the file that fw css info shows, then run fw css install.",
  ],
  css_digest: (name: string, digest: string, expected: string, server: string) => [
    `${name} has the SHA-256 digest ${digest}, not ${expected}: it is damaged, or it is another file`,
    `Nothing was installed. Try again. If it happens again, do not trust ${server}.`,
  ],
  css_input: (file: string) => [
    `there is no file ${file}`,
    'Create it with the line @import "tailwindcss"; or name another file with --input.',
  ],
  css_mirror: (url: string) => [
    `FW_CSS_BASE_URL is ${url}, which is not an http or https URL`,
    "Write the URL of the folder that holds the release's files, such as https://mirror.example/tailwindcss.",
  ],
  "css_no_digest.setting": (value: string) => [
    `FW_CSS_SHA256 is ${value}, which is not a SHA-256 digest`,
    "It takes 64 hexadecimal digits. Unset it to use the digests that fw knows.",
  ],
  css_npm: (message: string) => [
    message,
    "Check the network, and the registry that npm uses: npm config get registry.",
  ],
  css_output: (file: string, fix?: string) => [
    `${file} is also the input, which would be overwritten`,
    fix ?? "Remove the link.",
  ],
  css_platform: (machine: string, machines: readonly string[]) => [
    `there is no standalone CSS compiler for ${machine}`,
    `There is one for ${machines.join(", ")}. On other machines, set FW_CSS_BINARY to a compiler on disk.`,
  ],
} satisfies Messages

/** Creates an error about styles. */
export const cssFault = createFaults(cssMessages)
