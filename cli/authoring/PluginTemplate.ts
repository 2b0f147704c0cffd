import type { CriterionNames } from "./CriterionNames.ts"

/** The plugin of a new criterion: it compiles, measures, and finds that no page meets it. */
export const pluginTemplate = ({ criterion, exported, plugin }: CriterionNames, title: string): string =>
  `import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { isItself, ofPages, sampledPages } from "../../engine/criterion/SampledPages.ts"
import type { Page } from "../../engine/site/Page.ts"

/** ${criterion}: ${comment(title)}. */
export const ${exported} = define({
  id: "${plugin}",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    pages: count("pages of the sample that were fetched"),
    meeting: share("of those, pages that meet the criterion")
  },
  measure: Effect.fn("${plugin}")(function*(site) {
    const { first, pages } = yield* sampledPages(site)
    const meeting = pages.filter((page) => isItself(page) && meets(page))
    return {
      facts: { pages: pages.length, meeting: ratio(meeting.length, pages.length) },
      findings: [{
        good: meeting.length > 0,
        message: \`The criterion is met on \${ofPages(meeting.length, pages)}.\`,
        proof: meeting[0]?.answer ?? first
      }]
    }
  })
})

/** Whether a page meets the criterion. As long as it asks for nothing, no page does. */
const meets = (_page: Page): boolean => false
`

const comment = (title: string): string => title.replaceAll("*/", "").replace(/\.$/u, "")
