import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout, pageMetadata } from "../kit/Layout.ts"
import { dayText, type Doc, type DocsBook } from "./DocsBook.ts"

/** A page of the documentation in its template: text, contents of the page, navigation, neighbours. */
export const docPage = (doc: Doc, book: DocsBook): VNode =>
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

/** The path of a URL of this service. */
export const pathOf = (url: string): string => new URL(url).pathname

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
