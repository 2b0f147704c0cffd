import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { withSampledPages } from "../../engine/criterion/SampledPages.ts"
import { counted, pathShown } from "../../engine/criterion/Wording.ts"
import type { NegotiatedPage } from "../../engine/site/Negotiation.ts"
import { countsAsOwnMarkdown } from "./OwnMarkdown.ts"

/** B2: who asks a page's own address for Markdown gets Markdown. */
export const b2MarkdownNegotiation = define({
  id: "b2-markdown-negotiation",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    asked: count("pages that were asked for text/markdown and answered"),
    markdown: share("of those, pages answered with Markdown, whatever its media type"),
    negotiated: share("of those, pages answered with Markdown as text/markdown and with Vary naming Accept")
  },
  measure: Effect.fn("b2-markdown-negotiation")(function*(site) {
    const [{ first, pages }, negotiation] = yield* withSampledPages(site, site.negotiation)
    const own = countsAsOwnMarkdown(pages)
    const asked = negotiation.pages.filter(({ page }) => own || page.format !== "markdown")
    const answered = asked.filter(({ verdict }) => verdict !== "unobtainable")
    const unread = asked[0]
    if (answered.length === 0 && unread !== undefined) {
      return yield* new Unobtainable({ message: "No page answered a request for Markdown.", exchange: unread.exchange })
    }
    const markdown = answered.filter(({ verdict }) => verdict === "markdown")
    const negotiated = markdown.filter(isNegotiated)
    const best = negotiated[0] ?? markdown[0] ?? answered[0]
    return {
      facts: {
        asked: answered.length,
        markdown: ratio(markdown.length, answered.length),
        negotiated: ratio(negotiated.length, answered.length)
      },
      findings: [
        { good: markdown.length > 0, message: summary(answered.length, markdown.length, negotiated.length), proof: best?.exchange ?? first },
        ...answered.filter((page) => !isNegotiated(page)).slice(0, 4).map((page): Finding => ({
          good: false,
          message: `${pathShown(page.page.url)} ${answer(page)}.`,
          proof: page.exchange
        }))
      ]
    }
  })
})

const summary = (asked: number, markdown: number, negotiated: number): string => {
  if (asked === 0) return "No page could be fetched and asked for Markdown."
  const pages = `Of ${counted(asked, "page")} asked for text/markdown`
  return markdown === 0
    ? `${pages}, none answered with Markdown.`
    : `${pages}, ${markdown} answered with Markdown, ${negotiated === 0 ? "none" : negotiated} of them as text/markdown with Vary: Accept.`
}

const isNegotiated = ({ mediaType, variesByAccept, verdict }: NegotiatedPage): boolean =>
  verdict === "markdown" && mediaType === "text/markdown" && variesByAccept

const ANSWERS: Readonly<Record<Exclude<NegotiatedPage["verdict"], "markdown">, string>> = {
  html: "answers a request for Markdown with HTML",
  error_text: "answers a request for Markdown with an error text",
  foreign: "answers a request for Markdown with a text that has not the page's words",
  absent: "answers a request for Markdown with an error",
  unobtainable: "could not be had"
}

const answer = ({ mediaType, variesByAccept, verdict }: NegotiatedPage): string => {
  if (verdict !== "markdown") return ANSWERS[verdict]
  const type = mediaType === "text/markdown" ? "" : ` as ${mediaType === "" ? "no type at all" : mediaType.slice(0, 60)}`
  return `answers with Markdown${type}${variesByAccept ? "" : " without naming Accept in Vary"}`
}
