import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { trimTrailingSlashes } from "../../engine/evidence/Trim.ts"
import { CONTENTS, DOCS_VERSION } from "./docs/Contents.ts"
import { type DocAnswers, docAnswers } from "./docs/DocAnswers.ts"
import { docPage, pathOf } from "./docs/DocPage.ts"
import { botUrl, type Doc, type DocsBook } from "./docs/DocsBook.ts"
import { DocsPages } from "./docs/DocsPages.ts"
import { markdownUrl, pageUrl } from "./docs/DocText.ts"
import { once } from "./docs/Once.ts"
import { REFERENCE_CSP, referencePage } from "./docs/ReferencePage.ts"

/** Where the menu of all pages has the documentation, wherever that lies. */
const MENU_PATH = "/docs"

/** The developer reference: each page, its Markdown twin, and the way from {docs_url} to the first page; and `/bot`. */
export const docsRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { book, facts: { addresses: { base, docs } } } = yield* DocsPages
  const below = trimTrailingSlashes(pathOf(docs))

  const add = (path: string, answers: () => DocAnswers, form: keyof DocAnswers) =>
    router.add("GET", `/${path.slice(1)}`, Effect.flatMap(HttpServerRequest, (request) => answers()[form](request)))

  for (const slug of CONTENTS.flatMap(({ slugs }) => slugs)) {
    const answers = once(() => answersOf(book(), book().docs.find((doc) => doc.slug === slug)))
    yield* add(pathOf(pageUrl(docs, slug)), answers, "page")
    yield* add(pathOf(markdownUrl(docs, slug)), answers, "markdown")
    if (slug === "index") yield* add(`${below}/${DOCS_VERSION}.md`, answers, "markdown")
  }
  const bot = once(() => answersOf(book(), book().bot))
  yield* add(pathOf(botUrl(base)), bot, "page")
  yield* add(`${pathOf(botUrl(base))}.md`, bot, "markdown")
  if (below !== "") yield* router.add("GET", `/${below.slice(1)}`, Effect.succeed(toCurrent(`${below}/${DOCS_VERSION}`)))
  if (below !== MENU_PATH) yield* router.add("GET", MENU_PATH, Effect.succeed(toCurrent(pageUrl(docs, "index"))))
}))

const answersOf = (book: DocsBook, doc: Doc | undefined): DocAnswers => {
  if (doc === undefined) throw new Error("the documentation has a page in its contents that is not there")
  return doc.slug === "reference" ? docAnswers(doc, () => referencePage(doc, book), REFERENCE_CSP) : docAnswers(doc, () => docPage(doc, book))
}

/** Which version is the current one may change. */
const toCurrent = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 307, headers: { location, "cache-control": "no-cache" } })
