import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readdirSync } from "node:fs"
import { count, define } from "../../../engine/plugin/entry.ts"

/** Reads the file system of the machine instead of the site. */
export const readsFiles = define({
  id: "reads-files",
  revision: 1,
  budget: { requests: 1, megabytes: 1 },
  params: Schema.Struct({}),
  facts: { found: count("files") },
  measure: (site) =>
    Effect.sync(() => ({
      facts: { found: readdirSync("/").length },
      findings: [{ good: true, message: "Found.", proof: site.base.exchange }] as const
    }))
})
