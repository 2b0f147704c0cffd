import type { FakeSite } from "../../../engine/testing/FakeSite.ts"

/** Escapes what would be markup in code and cells. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

export const code = (text: string, language?: string): string =>
  `<pre><code${language === undefined ? "" : ` class="language-${language}"`}>${escaped(text)}</code></pre>`

export const table = (header: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  `<table><thead><tr>${header.map((cell) => `<th>${escaped(cell)}</th>`).join("")}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`)
    .join("")}</tbody></table>`

const FILL =
  "<p>The orders service keeps what your customers ordered, and gives it back in the order in which it came in, page after page.</p>"

/** A page of a manual: its title, and the mark-up below it. */
export interface ManualPage {
  readonly title: string
  readonly body: string
  readonly head?: string
}

/** A manual with a start page that links to all others. */
export const manual = (pages: Readonly<Record<string, ManualPage>>, others: FakeSite = {}): FakeSite => {
  const paths = Object.keys(pages)
  const navigation = `<nav>${paths.map((path) => `<a href="${path}">${pages[path]?.title ?? ""}</a>`).join(" ")}</nav>`
  const html = ({ body, head = "", title }: ManualPage) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Orders Manual</title>${head}</head><body>${navigation}<main><h1>${title}</h1>${FILL}${body}</main></body></html>`
  return {
    "/": html({ title: "Start", body: "" }),
    ...Object.fromEntries(paths.map((path) => [path, html(pages[path] ?? { title: "", body: "" })])),
    ...others
  }
}

/** Pages that say nothing of interest, so that a site has more than one. */
export const plain: Readonly<Record<string, ManualPage>> = Object.fromEntries(
  ["Customers", "Invoices", "Shipping", "Returns"].map((title) => [`/${title.toLowerCase()}`, { title, body: "" }])
)
