import * as Effect from "effect/Effect"
import type { Measurement, Unobtainable } from "./Criterion.ts"
import { knownSample } from "./SampledPages.ts"
import type { UncertainFacts } from "./Uncertain.ts"
import { cutShort, type Exchange } from "../evidence/Exchange.ts"
import { cutAmong, missingAmong } from "../site/sample/Sample.ts"
import type { Site } from "../site/Site.ts"

/** The values that a criterion's facts may have, given the number of missing sampled or reference pages; other texts may be missing too. */
type Ranges<Facts> = (facts: Facts, missingPages: number) => UncertainFacts<Facts>

/**
 * The measurement of a criterion that reads all texts of the site, with its facts uncertain if one of those texts is missing. Fails
 * if the sample is not known.
 */
export const withMissingText =
  <Facts>(ranges: Ranges<Facts>) =>
  (
    measured: Effect.Effect<Measurement<Facts>, Unobtainable>,
    site: Site
  ): Effect.Effect<Measurement<Facts>, Unobtainable> =>
    Effect.gen(function* () {
      const { pages: sampled, visits } = yield* knownSample(site)
      const measurement = yield* measured
      const { missing: reference } = yield* site.referenceSearch
      const pages = [...missingAmong(visits), ...reference, ...cutAmong([...sampled, ...(yield* site.referencePages)])]
      const missing = [...pages, ...(yield* missingBeside(site)), ...(measurement.unanswered ?? [])]
      return missing.length === 0
        ? measurement
        : { ...measurement, uncertain: ranges(measurement.facts, pages.length), unanswered: missing }
    })

/** Missing responses to topic pages, full-text files and the API description, and full-text files that were read in part. */
const missingBeside = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<ReadonlyArray<Exchange>> {
  const [topics, fullText, spec] = yield* Effect.all([site.topicSearch, site.fullText, site.spec], {
    concurrency: "unbounded"
  })
  // What was looked for may be in the rest of a full text.
  const unread = fullText.files.flatMap(({ answer, textCut }) => (textCut ? [cutShort(answer)] : []))
  return [
    ...topics.missing,
    ...cutAmong(topics.pages),
    ...fullText.missing,
    ...unread,
    ...(spec.unobtainable === null ? [] : [spec.unobtainable]),
    ...spec.missingFiles
  ]
})
