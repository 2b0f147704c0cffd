import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import { trimTrailingSlashes } from "../../../engine/text/WhiteSpace.ts"
import { prefersMarkdown } from "../../response/Negotiation.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { renderPage, type VNode, type Content, html } from "../../../engine/report/html/Html.ts"
import { PAGE_HEADERS } from "../kit/PageAnswer.ts"
import { CONTENTS, DOCS_VERSION } from "./Contents.ts"
import { botUrl, type Doc, type DocsBook, DocsPages, dayText } from "./DocsBook.ts"
import { markdownUrl, pageUrl, pathOf } from "./DocText.ts"
import { layout, pageMetadata } from "../kit/Layout.ts"

/** The path in the navigation bar. */
const MENU_PATH = "/docs"

/** A page of the documentation and its Markdown version. */
interface DocAnswers {
  /** The page, or its Markdown version for clients that prefer it. */
  readonly page: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  readonly markdown: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

interface RenderedDoc {
  readonly doc: Doc
  readonly render: () => VNode
}

/** Responses for the page at `path`, rendered when they are not cached. */
const docAnswers = (
  responses: ResponseCache["Service"],
  path: string,
  rendered: Effect.Effect<RenderedDoc>
): DocAnswers => {
  const cached = (
    form: string,
    make: (rendered: RenderedDoc, headers: Readonly<Record<string, string>>) => CachedResponse
  ) =>
    responses.get(
      `docs ${form} ${path}`,
      CachedResponse,
      Effect.map(rendered, (made) => make(made, headersOf(made.doc)))
    )

  const html = cached(
    "html",
    ({ render }, headers) =>
      new CachedResponse(renderPage(render()), {
        type: "text/html; charset=utf-8",
        headers: { ...headers, vary: "Accept", ...PAGE_HEADERS }
      })
  )
  const markdownOf = (doc: Doc, { link = "", ...headers }: Readonly<Record<string, string>>) =>
    new CachedResponse(doc.markdown(), {
      type: MARKDOWN_TYPE,
      headers: { ...headers, link: `<${doc.url}>; rel="canonical", ${link}` }
    })
  const negotiated = cached("negotiated", ({ doc }, headers) => markdownOf(doc, { ...headers, vary: "Accept" }))
  const markdown = cached("markdown", ({ doc }, headers) => markdownOf(doc, headers))
  return {
    page: (request) =>
      Effect.flatMap(prefersMarkdown(request.headers["accept"]) ? negotiated : html, (response) =>
        response.to(request)
      ),
    markdown: (request) => Effect.flatMap(markdown, (response) => response.to(request))
  }
}

const headersOf = (doc: Doc): Readonly<Record<string, string>> => ({
  "last-modified": new Date(doc.updated).toUTCString(),
  link: [
    '</openapi.json>; rel="service-desc"; type="application/vnd.oai.openapi+json"',
    '</llms.txt>; rel="llms-txt"; type="text/markdown"',
    // The relation of llms.txt v2; the one before is older and still looked for.
    '</llms.txt>; rel="describedby"; type="text/markdown"',
    `<${pathOf(doc.markdownUrl)}>; rel="alternate"; type="text/markdown"`
  ].join(", ")
})

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

/** A page of the documentation in its template: text, contents of the page, navigation, neighbours. */
const docPage = (doc: Doc, book: DocsBook): VNode =>
  layout({
    title: doc.slug === "index" ? doc.title : `${doc.title} · Documentation`,
    description: doc.description,
    path: pathOf(doc.url),
    wide: true,
    styles: ["docs.css"],
    scripts: ["copy.js"],
    head: docHead(doc, book),
    content: html`<div class="docs">
      <article class="docs-page">
        ${docTitle(doc)}
        <div class="docs-text" dangerouslySetInnerHTML=${{ __html: doc.html().html }}/>
        ${updated(doc)}
        ${neighbours(doc, book)}
      </article>
      ${contentsOf(doc)}
      ${navigation(doc.slug, book)}
    </div>`
  })

/** The metadata in the head of a documentation page. */
const docHead = (
  { description, markdownUrl, slug, title, updated: changed, url }: Doc,
  { base, docs: [first] }: DocsBook
): Content => [
  pageMetadata({
    base,
    url,
    title,
    description,
    changed,
    above: first === undefined || slug === first.slug ? [] : [{ title: first.title, url: first.url }]
  }),
  html`<link rel="alternate" type="text/markdown" href=${markdownUrl}/>`,
  html`<link rel="service-desc" type="application/vnd.oai.openapi+json" href="/openapi.json"/>`
]

/** The title, and what the page can be handed on as. */
const docTitle = ({ markdownUrl, title }: Doc): Content => [
  html`<h1>${title}</h1>`,
  html`<nav class="docs-actions" aria-label="This page">
    <a href="#docs-navigation" class="docs-all">All pages</a>
    <a href=${pathOf(markdownUrl)}>View as Markdown</a>
    <button class="copy" type="button" data-copy-url=${pathOf(markdownUrl)}>Copy as Markdown</button>
  </nav>`
]

const updated = ({ updated: day }: Doc): VNode =>
  html`<p class="docs-updated">Last changed on <time datetime=${day}>${dayText(day)}</time>.</p>`

const neighbours = (doc: Doc, { docs }: DocsBook): Content => {
  const place = docs.indexOf(doc)
  if (place < 0) return null
  const link = (other: Doc | undefined, rel: string, word: string): Content =>
    other === undefined
      ? null
      : html`<a class=${`docs-${rel}`} rel=${rel} href=${pathOf(other.url)}><span>${word}</span> ${other.short}</a>`
  return html`<nav class="docs-neighbours" aria-label="Neighbouring pages">${link(docs[place - 1], "prev", "Previous")}${link(docs[place + 1], "next", "Next")}</nav>`
}

/** Pages with fewer headings have no list. */
const LEAST_HEADINGS = 3

const contentsOf = ({ html: rendered }: Doc): Content => {
  const shown = rendered().headings.filter(({ level }) => level === 2)
  return shown.length < LEAST_HEADINGS
    ? null
    : html`<nav class="docs-contents" aria-labelledby="docs-contents-title">
      <h2 id="docs-contents-title">On this page</h2>
      <ul>${shown.map(({ id, text }) => html`<li><a href=${`#${id}`}>${text}</a></li>`)}</ul>
    </nav>`
}

/** All pages, with the current one marked. */
const navigation = (current: string | null, book: DocsBook): VNode => html`
  <nav id="docs-navigation" class="docs-navigation" aria-label="Documentation">
    ${book.sections.map(
      ({ docs, title }) => html`<div class="docs-section">
      <h2>${title}</h2>
      <ul>${docs.map((other) => html`<li><a href=${pathOf(other.url)} aria-current=${other.slug === current ? "page" : undefined}>${other.short}</a></li>`)}</ul>
    </div>`
    )}
  </nav>`
