/** Runs a command as npm does: below a shell, which gets the signals instead of the command. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { program } from "./command.ts"

/**
 * The process that ends first: the shell, or npm above it. Only on Linux can a command find the parent of its
 * parent.
 */
export const endsFirst: readonly ("shell" | "npm")[] = process.platform === "linux" ? ["shell", "npm"] : ["shell"]

/**
 * Runs the command `fw` below a shell until it prints a text, kills the shell or npm, and waits until all processes
 * have ended: the output is closed when the last process that writes to it has ended.
 *
 * @returns the whole output.
 */
export async function runBelowNpm(
  ends: "shell" | "npm",
  argv: string,
  { cwd, says }: { readonly cwd: string; readonly says: RegExp },
): Promise<string> {
  const quoted = [process.execPath, program].map((path) => `"${path}"`).join(" ")
  const line = `${quoted} ${argv}; true`
  const npm = `require("node:child_process").spawn("sh", ["-c", process.argv[1]], { stdio: "inherit" })`
  const [name, args] = ends === "shell" ? ["sh", ["-c", line]] : [process.execPath, ["-e", npm, line]]
  const child = spawn(name, args, {
    cwd,
    env: { ...process.env, npm_command: "exec" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const closed = once(child, "close")
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
    if (says.test(output) && child.exitCode === null) child.kill("SIGKILL")
  })
  await closed
  return output
}
