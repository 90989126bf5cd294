/** Compares validators on random values with ajv and the JSON Schema of their type. */
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import type { Validator } from "../../../../bin/validators/validator.ts"
import { random } from "../../random.ts"
import type { WrittenValidator } from "./inputs.ts"
import { toJSONSchema } from "./json-schema.ts"
import { Samples } from "./samples.ts"

/** The number of compared values, and the differences. */
export interface Agreement {
  readonly accepted: number
  readonly refused: number
  readonly differences: readonly string[]
}

/** Compares validators with ajv. @param count values per validator. */
export function compareWithAjv(
  validators: readonly Validator[],
  written: readonly WrittenValidator[],
  count: number,
  seed = 1,
): Agreement {
  const options = { strict: false, allErrors: false, ownProperties: true, multipleOfPrecision: 9 }
  const ajv = new Ajv2020(options)
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  const differences: string[] = []
  const counts = { accepted: 0, refused: 0 }
  for (const [i, validator] of validators.entries()) {
    const { type, named, name } = validator
    const { validate } = (written[i] as WrittenValidator)["~standard"]
    const isValid = ajv.compile(toJSONSchema(validator))
    const samples = new Samples(named, random(seed + i))
    for (let n = 0; n < count; n++) {
      const value = n % 2 === 0 ? samples.of(type) : samples.mutated(samples.of(type))
      const result = validate(value)
      const fits = result.issues === undefined
      counts[fits ? "accepted" : "refused"] += 1
      if (isValid(value) !== fits)
        differences.push(
          `${i} ${name}: fw ${fits ? "accepts" : "refuses"} ${JSON.stringify(value)}, and ajv does not: ${JSON.stringify(fits ? isValid.errors : result.issues)}`,
        )
      else if (!fits && result.issues?.length === 0)
        differences.push(`${name}: the list of issues is empty for ${JSON.stringify(value)}`)
      else if (!fits && result.issues?.some(({ message }) => message === "the value is not valid"))
        differences.push(`${i} ${name}: an issue gives no reason for ${JSON.stringify(value)}`)
    }
  }
  return { ...counts, differences }
}
