import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { count, define, type Site } from "../../../engine/criterion/entry.ts"

const misbehaving = (id: string, misbehave: (site: Site) => Effect.Effect<number>) =>
  define({
    id,
    revision: 1,
    params: Schema.Struct({}),
    facts: { found: count("something") },
    measure: (site) => Effect.map(misbehave(site), (found) => ({ facts: { found }, findings: [{ good: true, message: "Found.", proof: site.base.exchange }] as const }))
  })

export const throws = misbehaving("throws", () => Effect.sync(() => {
  throw new Error("the author forgot a case")
}))

/** Never gives the thread back: only ending the thread ends it. */
export const loops = misbehaving("loops", () => Effect.sync(() => {
  for (;;) Math.sqrt(2)
}))

export const exits = misbehaving("exits", () => Effect.sync(() => process.exit(7)))

export const lies = misbehaving("lies", () => Effect.succeed(-1.5))
