import type { CriterionNames } from "./CriterionNames.ts"

/** The plugin of a new criterion: it compiles, runs, and finds that no page meets the criterion. */
export const pluginTemplate = ({ criterion, exported, plugin }: CriterionNames, title: string): string =>
  `import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { isItself, sampledPages, someSampled } from "../../engine/criterion/SampledPages.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { Page } from "../../engine/page/Page.ts"

/** ${criterion}: ${comment(title)}. */
export const ${exported} = define({
  id: "${plugin}",
  revision: 1,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    pages: count("pages of the sample that were fetched"),
    meeting: share("of those, pages that meet the criterion")
  },
  measure: Effect.fn("${plugin}")(function* (site) {
    const { first, pages } = yield* sampledPages(site)
    const meeting = pages.filter((page) => isItself(page) && meets(page))
    return {
      facts: { pages: pages.length, meeting: ratio(meeting.length, pages.length) },
      findings: [
        {
          good: meeting.length > 0,
          message: \`\${someSampled(meeting.length, pages, ["meets", "meet"])} the criterion.\`,
          proof: meeting[0]?.answer ?? first
        }
      ]
    }
  })
})

/** Whether a page meets the criterion. Always false until you write a check. */
const meets = (_page: Page): boolean => false
`

const comment = (title: string): string => title.replaceAll("*/", "").replace(/\.$/u, "")
