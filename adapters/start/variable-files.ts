/** Reads variables from files: `FW_SECRETS_FILE` names a file with the value of `FW_SECRETS`. */
import { readFileSync } from "node:fs"
import { describeFileError, startFault } from "../shared/start-fault.ts"

/**
 * Sets variables to the texts in their files, without line feeds at the end. The variables with the names of the files
 * are removed, so that programs which this one starts do not find both.
 *
 * @throws FwError `variable_file` if the variable itself is set too, and for a file that cannot be read.
 */
export function readVariableFiles(names: readonly string[], env: NodeJS.ProcessEnv): void {
  for (const name of new Set(names)) {
    const fileVariable = `${name}_FILE`
    const path = env[fileVariable]
    // A name with _FILE may be a setting of the project itself, such as LOG_FILE next to LOG.
    if (!path || names.includes(fileVariable)) continue
    if (env[name]) throw startFault("variable_file.both", [name])
    env[name] = removeLineEnds(readVariableFile(name, path))
    delete env[fileVariable]
  }
}

function readVariableFile(name: string, path: string): string {
  const fail = (reason: string) => startFault("variable_file", [name, reason])
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw fail(describeFileError(error as { code?: string }))
  }
  if (bytes.includes(0)) throw fail("it is not text")
  const text = new TextDecoder().decode(bytes)
  if (text.includes("\ufffd")) throw fail("it is not text in UTF-8")
  if (text.trim() === "") throw fail("it is empty")
  return text
}

/** Removes line ends at the end of a text. Editors and commands add them when somebody writes a secret to a file. */
function removeLineEnds(text: string): string {
  let end = text.length
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end--
  return text.slice(0, end)
}
