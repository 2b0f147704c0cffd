import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Limits } from "../../../engine/limit/Limits.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { trimTrailingSlashes } from "../../../engine/text/Trim.ts"
import { Clients } from "../../http/request/Clients.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { pageAnswer } from "../kit/PageAnswer.ts"
import { queryOf } from "../kit/PageQuery.ts"
import { rateLimitedPage } from "../kit/RateLimitedPage.ts"
import { CONTENTS, DOCS_VERSION } from "./Contents.ts"
import { type DocAnswers, docAnswers, type RenderedDoc } from "./DocAnswers.ts"
import { docPage, pathOf } from "./DocPage.ts"
import { searchHits, searchIndex, wordsOf } from "./DocSearch.ts"
import { docSearchPage } from "./DocSearchPage.ts"
import { botUrl, type Doc, type DocsBook } from "./DocsBook.ts"
import { DocsPages } from "./DocsPages.ts"
import { markdownUrl, pageUrl } from "./DocText.ts"

/** The length of the search field, in characters. */
const LONGEST_QUESTION = 200

/** The path in the navigation bar. */
const MENU_PATH = "/docs"

/** Serves the developer reference: each page, its Markdown version, the redirect from {docs_url} to the first page, the search, and `/bot`. */
export const docsRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const {
      addresses: { base, docs },
      book
    } = yield* DocsPages
    const responses = yield* ResponseCache
    const below = trimTrailingSlashes(pathOf(docs))

    const add = (path: string, answers: DocAnswers, form: keyof DocAnswers) =>
      router.add(
        "GET",
        `/${path.slice(1)}`,
        Effect.flatMap(HttpServerRequest, (request) => answers[form](request))
      )

    const answersOf = (url: string, find: (book: DocsBook) => Doc | undefined): DocAnswers =>
      docAnswers(
        responses,
        pathOf(url),
        Effect.map(book, (all) => rendered(all, find(all)))
      )

    for (const slug of CONTENTS.flatMap(({ slugs }) => slugs)) {
      const answers = answersOf(pageUrl(docs, slug), (all) => all.docs.find((doc) => doc.slug === slug))
      yield* add(pathOf(pageUrl(docs, slug)), answers, "page")
      yield* add(pathOf(markdownUrl(docs, slug)), answers, "markdown")
      if (slug !== "index") continue
      yield* add(`${below}/${DOCS_VERSION}.md`, answers, "markdown")
      if (below !== "") yield* add(`${below}.md`, answers, "markdown")
    }
    const bot = answersOf(botUrl(base), (all) => all.bot)
    yield* add(pathOf(botUrl(base)), bot, "page")
    yield* add(`${pathOf(botUrl(base))}.md`, bot, "markdown")
    const limited = rateLimitedPage(yield* Clients, (yield* Limits).browse)
    const index = yield* Effect.cached(Effect.map(book, searchIndex))
    yield* router.add(
      "GET",
      `/${pathOf(pageUrl(docs, "search")).slice(1)}`,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        return yield* limited(
          request,
          Effect.gen(function* () {
            const question = plainText(queryOf(request).get("q") ?? "", LONGEST_QUESTION)
            const words = wordsOf(question)
            return yield* pageAnswer(
              request,
              docSearchPage({ question, words, hits: searchHits(yield* index, words) }, yield* book)
            )
          })
        )
      })
    )
    if (below !== "")
      yield* router.add("GET", `/${below.slice(1)}`, Effect.succeed(toCurrent(`${below}/${DOCS_VERSION}`)))
    if (below === MENU_PATH) return
    yield* router.add("GET", MENU_PATH, Effect.succeed(toCurrent(pageUrl(docs, "index"))))
    // Scripts and forms link to these paths, which do not know where the documentation is.
    for (const slug of CONTENTS.flatMap(({ slugs }) => slugs))
      yield* router.add(
        "GET",
        `/${pathOf(pageUrl(`${base}${MENU_PATH}`, slug)).slice(1)}`,
        Effect.succeed(toCurrent(pageUrl(docs, slug)))
      )
  })
)

const rendered = (book: DocsBook, doc: Doc | undefined): RenderedDoc => {
  if (doc === undefined) throw new Error("the contents of the documentation name a page that does not exist")
  return { doc, render: () => docPage(doc, book) }
}

/** A temporary redirect, because the current version may change. */
const toCurrent = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 307, headers: { location, "cache-control": "no-cache" } })
