import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { DOCS_VERSION } from "./docs/Contents.ts"
import { docAnswers } from "./docs/DocAnswers.ts"
import { docPage, pathOf } from "./docs/DocPage.ts"
import type { Doc } from "./docs/DocsBook.ts"
import { DocsPages } from "./docs/DocsPages.ts"
import { REFERENCE_CSP, referencePage } from "./docs/ReferencePage.ts"

/** The developer reference: each page, its Markdown twin, and the way from {docs_url} to the first page; and `/bot`. */
export const docsRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { book, facts } = yield* DocsPages
  const below = pathOf(facts.addresses.docs).replace(/\/+$/, "")

  const add = (path: string, answer: ReturnType<typeof docAnswers>["page"]) =>
    router.add("GET", `/${path.slice(1)}`, Effect.flatMap(HttpServerRequest, answer))

  const addDoc = Effect.fnUntraced(function*(doc: Doc) {
    const isReference = doc.slug === "reference"
    const answers = isReference ? docAnswers(doc, () => referencePage(doc, book), REFERENCE_CSP) : docAnswers(doc, () => docPage(doc, book))
    yield* add(pathOf(doc.url), answers.page)
    yield* add(pathOf(doc.markdownUrl), answers.markdown)
    if (doc.slug === "index") yield* add(`${below}/${DOCS_VERSION}.md`, answers.markdown)
  })

  for (const doc of [...book.docs, book.bot]) yield* addDoc(doc)
  if (below !== "") yield* router.add("GET", `/${below.slice(1)}`, Effect.succeed(toCurrent(`${below}/${DOCS_VERSION}`)))
}))

/** Which version is the current one may change. */
const toCurrent = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 307, headers: { location, "cache-control": "no-cache" } })
