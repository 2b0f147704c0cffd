import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { stagesOf } from "../../long/Dockerfile.ts"
import type { Suite } from "../Suite.ts"

interface Validator {
  readonly validate: (
    text: string
  ) => ReadonlyArray<{ readonly message: string; readonly range: { readonly start: { readonly line: number } } }>
}

const ROOT = join(import.meta.dirname, "../../..")

/** The instructions of our Dockerfile, by the validator of Docker's editor plug-ins. */
export const dockerfileValidator: Suite = {
  name: "Dockerfile: dockerfile-utils on our Dockerfile",
  npm: { "dockerfile-utils": "0.16.3" },
  run: async (packages) => {
    const { validate }: Validator = await import(
      pathToFileURL(join(packages.npm("dockerfile-utils"), "lib/main.js")).href
    )
    const text = readFileSync(join(ROOT, "Dockerfile"), "utf8")
    return {
      cases: stagesOf(text).flat().length,
      differences: validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)
    }
  },
  explained: []
}
