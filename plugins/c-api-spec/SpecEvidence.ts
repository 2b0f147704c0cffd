import * as Effect from "effect/Effect"
import { type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { pathShown } from "../../engine/criterion/Wording.ts"
import type { FoundSpec, SpecSearch } from "../../engine/site/ApiSpec.ts"
import type { Site } from "../../engine/site/Site.ts"
import { placeholderShown, sentence, specShown } from "./SpecWording.ts"

/** The Spec to judge, or the finding that says why there is none. */
export type SpecEvidence =
  | { readonly _tag: "Spec"; readonly found: FoundSpec }
  | { readonly _tag: "NoSpec"; readonly finding: Finding }

/** What C2 to C5 stand on. Fails where something may well be a description and could not be had. */
export const specEvidence = Effect.fn("SpecEvidence")(function*(site: Site): Effect.fn.Return<SpecEvidence, Unobtainable> {
  const search = yield* searchFor(site)
  if (search.best !== null) return { _tag: "Spec", found: search.best }
  return { _tag: "NoSpec", finding: noSpec(search, site) }
})

/** The search itself, for C1. */
export const searchFor = Effect.fn("SpecSearch")(function*(site: Site): Effect.fn.Return<SpecSearch, Unobtainable> {
  const search = yield* site.spec
  if (search.unobtainable === null) return search
  const message = `What may be an API description at ${pathShown(search.unobtainable.asked.url)} could not be had.`
  return yield* new Unobtainable({ message, exchange: search.unobtainable })
})

const noSpec = ({ placeholder, tried }: SpecSearch, site: Site): Finding =>
  placeholder === null
    ? { good: false, message: "No API description was found on the site, so there is nothing to judge.", proof: tried[0] ?? site.base.exchange }
    : {
      good: false,
      message: `${sentence(specShown(placeholder))} ${placeholderShown(placeholder)}, so there is nothing to judge.`,
      proof: placeholder.exchange
    }
