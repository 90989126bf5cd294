/** The environment variables of the application, each read in one place. README.md says what they are for. */

/** Where tasks are kept: a directory, or null for memory alone. */
export const dataDirectory = process.env.TASKS_DATA === "" ? null : (process.env.TASKS_DATA ?? "data")

/** Other origins, such as `https://board.example`, whose pages may use the API. */
export const origins = list(process.env.TASKS_ORIGINS)

/** Who may administer: the secret of each by name, from `name=secret,name=secret`. */
export const apiKeys = new Map(
  list(process.env.TASKS_API_KEYS).map((pair) => {
    const [name = "", ...secret] = pair.split("=")
    if (name === "" || secret.join("=") === "")
      throw new Error("TASKS_API_KEYS is not name=secret,name=secret")
    return [name, secret.join("=")]
  }),
)

/** Where to report a hole. */
export const securityContact = process.env.TASKS_CONTACT ?? "mailto:security@tasks.example"

function list(value = ""): string[] {
  return value.split(",").filter((item) => item !== "")
}
