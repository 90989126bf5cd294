/** Passwords: Argon2id, computed on a thread of its own. Used by users.ts. */
import { hash, type Options, verify } from "@node-rs/argon2"

/** OWASP's least for Argon2id: 19 MiB, two passes, one lane. About 20 ms of one core. A larger one is read as well. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Characters that a password has. There are no other rules: they make worse ones (NIST SP 800-63B §3.1.1). */
export const passwordLength = { least: 8, most: 256 } as const

/** As it is stored: the parameters and the salt are in it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost)
}

// What a password is compared with where there is nobody: the answer takes as long as for a real account.
const nobody = hashPassword(crypto.randomUUID())

/** Whether it is the password. `null` stands for nobody, or for one who has none. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const right = await verify(stored ?? (await nobody), password.normalize("NFKC"))
  return right && stored !== null
}

/** Whether a hash was made at a lesser cost than today's. */
export function isWeak(stored: string): boolean {
  const [, memory, time] = /\$m=(\d+),t=(\d+),/.exec(stored) ?? []
  return Number(memory) < (cost.memoryCost ?? 0) || Number(time) < (cost.timeCost ?? 0)
}
