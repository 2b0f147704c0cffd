import type { FakeAnswer, FakeResponse, FakeSite } from "../../../engine/testing/FakeSite.ts"
import type { Description, Source } from "../excellent/Source.ts"
import { buildSite } from "../excellent/Site.ts"

/** One thing broken in the excellent site: its source to what is served. Pure. */
export type Break = (source: Source) => FakeSite

/** What the authors write is changed; whatever is made of it changes with it. */
export const inSource =
  (change: (source: Source) => Source): Break =>
  (source) =>
    buildSite(change(source))

/** What is served is changed. */
export const inAnswers =
  (change: (site: FakeSite) => FakeSite): Break =>
  (source) =>
    change(buildSite(source))

/** The text of every page. */
export const inTexts = (change: (text: string) => string): Break => inSource(inEachText(change))

export const inEachText =
  (change: (text: string) => string) =>
  (source: Source): Source => ({
    ...source,
    pages: source.pages.map((page) => ({ ...page, text: change(page.text) }))
  })

/** Pages by path (`reference/quotes`) get another text. */
export const withTexts =
  (texts: Readonly<Record<string, string>>) =>
  (source: Source): Source => ({
    ...source,
    pages: source.pages.map((page) => ({ ...page, text: texts[page.path] ?? page.text }))
  })

/** The API description, as JSON text. */
export const inDescription = (change: (json: string) => string): Break => inSource(describedBy(change))

export const describedBy =
  (change: (json: string) => string) =>
  (source: Source): Source => {
    const description: Description = JSON.parse(change(JSON.stringify(source.description)))
    return { ...source, description }
  }

/** The API description without members of these names, wherever they stand. */
export const withoutMembers =
  (...names: ReadonlyArray<string>) =>
  (json: string): string =>
    JSON.stringify(JSON.parse(json, (key: string, value: unknown) => (names.includes(key) ? undefined : value)))

/** Without the files at these URLs. */
export const without =
  (...places: ReadonlyArray<string>) =>
  (site: FakeSite): FakeSite =>
    Object.fromEntries(Object.entries(site).filter(([place]) => !places.includes(place)))

/** With these answers instead of, or beside, those that are there. */
export const withAnswers =
  (answers: FakeSite) =>
  (site: FakeSite): FakeSite => ({ ...site, ...answers })

/** One text file, such as `/llms.txt`. */
export const inFile =
  (place: string, change: (text: string) => string) =>
  (site: FakeSite): FakeSite => ({
    ...site,
    [place]: withBody(responseOf(site[place] ?? ""), change)
  })

/** Pages as HTML; what they answer to `Accept: text/markdown` stays. */
export const inHtml =
  (change: (html: string, place: string) => string) =>
  (site: FakeSite): FakeSite =>
    inPages((response, place) => withBody(response, (html) => change(html, place)))(site)

/** The whole answer of each page. */
export const inPages =
  (change: (response: FakeResponse, place: string) => FakeAnswer) =>
  (site: FakeSite): FakeSite =>
    mapped(site, (answer, place) => (isPage(place) ? change(responseOf(answer), place) : answer))

/** Markdown, at addresses of its own and as negotiated. */
export const inMarkdown =
  (change: (text: string) => string) =>
  (site: FakeSite): FakeSite => {
    const versions = mapped(site, (answer, place) =>
      isMarkdownVersion(place) ? withBody(responseOf(answer), change) : answer
    )
    return inPages((response) => negotiating(response, (answer) => withBody(responseOf(answer), change)))(versions)
  }

/** The page's answer to `Accept: text/markdown`; `null` takes it away. */
export const negotiating = (
  response: FakeResponse,
  change: (answer: FakeAnswer) => FakeAnswer | null
): FakeResponse => {
  const { byAccept = {}, ...rest } = response
  const changed = Object.entries(byAccept).flatMap(([type, answer]) => {
    const other = change(answer)
    return other === null ? [] : [[type, other] as const]
  })
  return { ...rest, byAccept: Object.fromEntries(changed) }
}

/** With other headers; a `null` takes one away. */
export const withHeaders = (response: FakeResponse, headers: Readonly<Record<string, string | null>>): FakeResponse => {
  const merged = { ...response.headers, ...headers }
  const kept = Object.entries(merged).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return { ...response, headers: Object.fromEntries(kept) }
}

export const isPage = (place: string): boolean => /^\/v2(?:\/|$)/.test(place) && !place.endsWith(".md")

export const isMarkdownVersion = (place: string): boolean => place.startsWith("/v2") && place.endsWith(".md")

/** Every answer of the site. */
export const mapped = (site: FakeSite, change: (answer: FakeAnswer, place: string) => FakeAnswer): FakeSite =>
  Object.fromEntries(Object.entries(site).map(([place, answer]) => [place, change(answer, place)]))

export const responseOf = (answer: FakeAnswer): FakeResponse => {
  if (typeof answer === "string" || answer instanceof Uint8Array) return { body: answer }
  if (typeof answer === "function") throw new Error("the excellent site answers by functions nowhere")
  return answer
}

const withBody = (response: FakeResponse, change: (text: string) => string): FakeResponse =>
  typeof response.body === "string" ? { ...response, body: change(response.body) } : response

/** One change after the other. */
export const all =
  (...changes: ReadonlyArray<(site: FakeSite) => FakeSite>) =>
  (site: FakeSite): FakeSite =>
    changes.reduce((changed, change) => change(changed), site)
