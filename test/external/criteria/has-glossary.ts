import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { count, define, flag } from "../../../engine/plugin/entry.ts"

/** A criterion from outside, as somebody else would write it: is there a page named after a glossary? */
export const hasGlossary = define({
  id: "has-glossary",
  revision: 3,
  budget: { requests: 1, megabytes: 1 },
  params: Schema.Struct({ least: Schema.Int }),
  facts: { pages: count("pages of the sample"), glossary: flag("a page of the sample, or /glossary, is a glossary") },
  measure: Effect.fn("has-glossary")(function* (site, params) {
    const { pages } = yield* site.sample
    const asked = yield* site.get(site.resolve("/glossary", site.base.url) ?? site.base.url)
    const read = asked._tag === "Answer" && asked.status === 200 ? yield* site.read(asked) : null
    const glossary = pages.find(({ title }) => /glossary/i.test(title)) ?? read
    return {
      facts: { pages: pages.length, glossary: glossary !== null && pages.length >= params.least },
      findings: [
        {
          good: glossary !== null,
          message: glossary === null ? "There is no glossary." : `${glossary.title} is a glossary.`,
          proof: asked
        }
      ] as const
    }
  })
})
