/** API keys from the environment. */
import { FwError } from "fw"
import { readSetting } from "./env.ts"

/**
 * Parses `name=key,name=key`.
 *
 * @throws FwError for another format, and for keys that are so short that they can be guessed. The message contains
 * no key.
 */
export function parseAPIKeys(variable: string): { readonly name: string; readonly key: string }[] {
  const text = readSetting(variable)
  if (text === "") return []
  return text.split(",").map((pair, index) => {
    const [, name = "", key = ""] = /^([^=]+)=(.+)$/.exec(pair.trim()) ?? []
    if (name !== "" && key.length >= 32) return { name, key }
    throw new FwError(
      "api_keys",
      `${variable}, entry ${index + 1}: ${name === "" ? "it is not name=key" : `the key of ${name} has ${key.length} characters, and 32 is the least`}`,
      'Write name=key,name=key, each key made as by "openssl rand -hex 32".',
    )
  })
}
