import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { count, define, type Site } from "../../../engine/plugin/entry.ts"

/** What plugins declare that count something. */
export const COUNTING = {
  revision: 1,
  budget: { requests: 5, megabytes: 1 },
  params: Schema.Struct({}),
  facts: { found: count("something") }
}

/** A plugin that gives the count of `measure`. */
export const counting = (id: string, measure: (site: Site) => Effect.Effect<number>) =>
  define({
    ...COUNTING,
    id,
    measure: (site) =>
      Effect.map(measure(site), (found) => ({
        facts: { found },
        findings: [{ good: true, message: "Found.", proof: site.base.exchange }] as const
      }))
  })
