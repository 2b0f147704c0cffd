import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { trimTrailingSlashes } from "../../../engine/text/WhiteSpace.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { CONTENTS, DOCS_VERSION } from "./Contents.ts"
import { type DocAnswers, docAnswers, type RenderedDoc } from "./DocAnswers.ts"
import { docPage, pathOf } from "./DocPage.ts"
import { botUrl, type Doc, type DocsBook } from "./DocsBook.ts"
import { DocsPages } from "./DocsPages.ts"
import { markdownUrl, pageUrl } from "./DocText.ts"

/** The path in the navigation bar. */
const MENU_PATH = "/docs"

/** Serves the developer reference: each page, its Markdown version, the redirect from {docs_url} to the first page, and `/bot`. */
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
