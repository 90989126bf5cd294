/** The error reference of `fw css`. */
import { cssMessages } from "../css.ts"
import { entriesOf } from "./entry.ts"

const asset = "tailwindcss-linux-x64"
const digest = (digit: string) => digit.repeat(8).concat("…")

export const css = entriesOf(cssMessages, {
  css_binary: [
    "fw cannot run the standalone CSS compiler. `fw css info` shows which file it uses.",
    {
      css_binary: ["/opt/tailwindcss"],
      "css_binary.start": [`/home/ada/.cache/fw/bin/${asset}-v4.0.0`, "spawn EACCES", false],
    },
  ],
  css_cache: [
    "fw keeps the compiler in its cache, so that all projects share it. The directory is `fw` in `XDG_CACHE_HOME`, or `~/.cache/fw` without that variable.",
    { css_cache: ["/home/ada/.cache/fw/bin", "EROFS: read-only file system"] },
  ],
  css_compile: [
    "The compiler reports a mistake in the style sheet, or ended without a result. The error has the file and, if fw finds what the compiler names, the line.",
    {
      css_compile: [
        "Cannot apply unknown utility class: text-larg",
        "> 1 | .title { @apply text-larg; }\n    |                 ^",
      ],
      "css_compile.ended": ["was ended by SIGKILL", []],
    },
  ],
  css_digest: [
    "fw runs only a compiler whose SHA-256 digest it knows. The digests of the official release are part of fw; a mirror has a `sha256sums.txt`.",
    {
      css_digest: [asset, digest("0"), digest("a"), "https://mirror.example/tailwindcss"],
    },
  ],
  css_input: [
    "`fw css build`, `fw css watch` and `fw dev` compile `styles/input.css` if no other file is named.",
    { css_input: ["styles/input.css"] },
  ],
  css_mirror: [
    "`FW_CSS_BASE_URL` replaces the address of the official release. A password in it is not shown.",
    { css_mirror: ["ftp://mirror.example/tailwindcss"] },
  ],
  css_no_digest: ["", { "css_no_digest.setting": ["latest"] }],
  css_npm: [
    "The release could not be reached, and the installation from npm failed. The message is npm's own.",
    { css_npm: ["npm error network request to the registry failed"] },
  ],
  css_output: [
    "The output of the styles cannot be written where it was asked for.",
    { css_output: ["styles/input.css", "Name another file with --output."] },
  ],
  css_platform: [
    "The compiler is a program for certain systems and processors.",
    {
      css_platform: ["freebsd-x64", ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"]],
    },
  ],
})
