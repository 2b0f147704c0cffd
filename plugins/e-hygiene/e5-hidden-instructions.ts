import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count } from "../../engine/plugin/Fact.ts"
import { withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { Answer } from "../../engine/evidence/Exchange.ts"
import { type HiddenInstruction, isSubstantive } from "../../engine/page/Page.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { markdownVersionsOf, mayHaveVersions } from "../b-page-artifacts/MarkdownVersion.ts"

/** E5: no page hides an instruction to agents from people. */
export const e5HiddenInstructions = define({
  id: "e5-hidden-instructions",
  revision: 1,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    substantive_pages: count("substantive sampled pages"),
    texts: count("sampled pages and Markdown versions that were read"),
    hiding: count("of those, texts with an instruction to agents that people do not see")
  },
  measure: Effect.fn("e5-hidden-instructions")(function* (site) {
    const [{ first, missing, pages }, versions] = yield* withSampledPages(site, markdownVersionsOf(site))
    const maybe = yield* mayHaveVersions(site)
    const texts = [
      ...pages.map(({ answer, hiddenInstructions, url }): ReadText => ({ url, answer, hidden: hiddenInstructions })),
      ...versions
        .filter(({ page, url }) => url !== page.url)
        .map(({ answer, document, url }): ReadText => ({ url, answer, hidden: document().hiddenInstructions }))
    ]
    const hiding = texts.filter(({ hidden }) => hidden.length > 0)
    const facts = { substantive_pages: pages.filter(isSubstantive).length, texts: texts.length, hiding: hiding.length }
    const unread = [...missing, ...maybe.missing]
    return {
      facts,
      uncertain:
        unread.length === 0
          ? {}
          : {
              substantive_pages: between(facts.substantive_pages, facts.substantive_pages + missing.length),
              texts: between(facts.texts, null),
              hiding: between(facts.hiding, null)
            },
      unanswered: unread,
      findings: [
        {
          good: facts.substantive_pages > 0 && hiding.length === 0,
          message: summary(facts, texts.length > pages.length),
          proof: hiding[0]?.answer ?? first
        },
        ...hiding.flatMap(findingsOf)
      ]
    }
  })
})

/** A page or a Markdown version. */
interface ReadText {
  readonly url: string
  readonly answer: Answer
  readonly hidden: ReadonlyArray<HiddenInstruction>
}

interface Counts {
  readonly substantive_pages: number
  readonly texts: number
  readonly hiding: number
}

const summary = ({ hiding, substantive_pages, texts }: Counts, versions: boolean): string => {
  if (substantive_pages === 0 && hiding === 0)
    return "No sampled page has text in its HTML, so there is nothing to look for hidden instructions in."
  return `${someOf(hiding, texts, versions ? ["page or Markdown version", "pages and Markdown versions"] : ["page", "pages"], ["hides", "hide"])} an instruction to agents from people.`
}

/** Enough of an instruction to recognise it by. */
const QUOTED_CHARACTERS = 120

const findingsOf = ({ answer, hidden, url }: ReadText): ReadonlyArray<Finding> =>
  hidden.map(({ hiddenBy, text }) => ({
    good: false,
    message: `${pathShown(url)} hides an instruction to agents in ${hiddenBy}: "${plainText(text, QUOTED_CHARACTERS)}"`,
    proof: answer
  }))
