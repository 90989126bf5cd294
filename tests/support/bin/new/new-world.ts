/** An artificial machine for tests of `fw new`: an npm that uses no registry, git or none, and no user settings. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root as checkout } from "../../tsc.ts"
import { fw, project, type Ran, type World } from "../cli/command.ts"

/** An npm that answers `install` after FAKE_INSTALL_SECONDS, or fails with the error code in FAKE_INSTALL_ERROR. */
const npm = `#!/bin/sh
PATH=/usr/bin:/bin
case "$1" in
  install)
    mkdir -p node_modules/fw
    if [ -n "$FAKE_INSTALL_SECONDS" ]; then sh -c "sleep $FAKE_INSTALL_SECONDS; :"; fi
    echo "npm http fetch GET 200 http://registry.example/a/-/a-1.0.0.tgz 3ms" >&2
    if [ -n "$FAKE_INSTALL_ERROR" ]; then echo "npm error code $FAKE_INSTALL_ERROR" >&2; exit 1; fi
    echo '{}' > package-lock.json ;;
esac
`

/** Programs on the machine. Default: all. */
export interface MachineOptions {
  readonly npm?: boolean
  readonly git?: boolean
  /** True if git knows the user's name. */
  readonly name?: boolean
  readonly env?: World["env"]
}

/** Creates an empty directory and an environment. */
export function machine({ npm: hasNpm = true, git = true, name = true, env = {} }: MachineOptions = {}) {
  const place = project({ "home/.keep": "", "bin/.keep": "", "cwd/.keep": "" })
  const bin = join(place, "bin")
  if (hasNpm) {
    writeFileSync(join(bin, "npm"), npm)
    chmodSync(join(bin, "npm"), 0o755)
  }
  if (git) symlinkSync(gitPath(), join(bin, "git"))
  const config = name ? "[user]\n\tname = Ada\n\temail = ada@example.com\n" : ""
  writeFileSync(join(place, "home/.gitconfig"), config)
  const cwd = join(place, "work")
  mkdirSync(cwd)
  return { cwd, env: { PATH: bin, HOME: join(place, "home"), GIT_CONFIG_NOSYSTEM: "1", ...env } }
}

function gitPath(): string {
  for (const directory of (process.env.PATH ?? "").split(":")) {
    if (directory !== "" && listEntries(directory).includes("git")) return join(directory, "git")
  }
  throw new Error("these tests need git")
}

function listEntries(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Runs `fw new` on an artificial machine. */
export function fwNew(args: readonly string[], world: World): Promise<Ran> {
  return fw(["new", ...args], world)
}

/** Returns the texts of a project's files, except the files of git, npm and fw. */
export function readTexts(root: string): Record<string, string> {
  const texts: Record<string, string> = {}
  const walk = (path: string) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`
      if ([".git", "node_modules", ".fw", "vendor"].includes(inner) || inner.endsWith(".tpl.ts")) continue
      if (entry.isDirectory()) walk(inner)
      else texts[inner] = readFileSync(join(root, inner), "utf8")
    }
  }
  walk("")
  return texts
}

/** Links this checkout and its tools where an install would put them. */
export function linkPackages(root: string): void {
  for (const [name, target] of [
    ["fw", checkout],
    ...["typescript", "esbuild", "@types/node"].map((name) => [name, join(checkout, "node_modules", name)]),
  ] as [string, string][]) {
    const link = join(root, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, "dir")
  }
}
