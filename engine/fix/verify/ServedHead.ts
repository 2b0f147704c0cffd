import * as Effect from "effect/Effect"
import { type Answer, type Exchange, isAnswer, isSuccess } from "../../evidence/Exchange.ts"
import type { Page } from "../../page/Page.ts"
import { describesPage } from "../../page/StructuredTypes.ts"
import { ParserPool } from "../../parse/ParserPool.ts"
import { broken, type PromiseVerdict, kept, type PlannedFile, whyOpen } from "./ServedFile.ts"

/** Whether the head of a page says what a snippet says, however it is written. */
export const judgeHead = Effect.fnUntraced(function* (
  { elements }: PlannedFile,
  exchange: Exchange | undefined,
  rebased: (url: string) => string
): Effect.fn.Return<PromiseVerdict, never, ParserPool> {
  const undecided = whyOpen(exchange)
  if (undecided !== null || exchange === undefined || !isAnswer(exchange)) return undecided ?? broken("did not answer")
  if (!isSuccess(exchange.status)) return broken(`answers ${exchange.status}`)
  const { page } = yield* ParserPool
  const wanted = yield* page({ answer: pageOf(exchange, elements) })
  const missing = missingIn(wanted, yield* page({ answer: exchange }), rebased)
  return missing.length === 0
    ? kept(elements.length === 1 ? "has its element" : `has all ${elements.length} elements`)
    : broken(`lacks ${missing.join(", ")}`)
})

const pageOf = (answer: Answer, elements: ReadonlyArray<string>): Answer => ({
  ...answer,
  headers: [["content-type", "text/html; charset=utf-8"]],
  body: new TextEncoder().encode(
    `<!doctype html><html><head>${elements.join("\n")}</head><body><p>Snippet</p></body></html>`
  ),
  cut: false
})

/** Elements by what they say; a URL of the plan counts as that of the published site, too. */
const missingIn = (wanted: Page, served: Page, rebased: (url: string) => string): ReadonlyArray<string> => {
  const isSame = (one: string, other: string): boolean => one === other || rebased(one) === other
  return [
    ...(wanted.title !== "" && wanted.title !== served.title ? ["its title"] : []),
    ...(wanted.description !== "" && wanted.description !== served.description ? ["its description"] : []),
    ...(wanted.canonical !== null && (served.canonical === null || !isSame(wanted.canonical, served.canonical))
      ? ["its canonical URL"]
      : []),
    ...(describesPage(wanted.structured) && !describesPage(served.structured) ? ["its JSON-LD"] : []),
    ...wanted.announcements
      .filter(({ rel }) => !rel.includes("canonical"))
      .filter(
        ({ rel, url }) =>
          !served.announcements.some((other) => rel.every((one) => other.rel.includes(one)) && isSame(url, other.url))
      )
      .map(({ rel }) => `its link rel="${rel.join(" ")}"`)
  ]
}
