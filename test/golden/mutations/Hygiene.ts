import type { FakeAnswer, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { all, inAnswers, inHtml, inPages, isPage, mapped, responseOf, withAnswers, withHeaders } from "./Break.ts"
import type { Mutation } from "./Mutation.ts"

const NOT_FOUND =
  '<!doctype html><html lang="en"><title>Page not found</title><h1>Page not found</h1><p>There is no such page.</p></html>'

const LOGIN =
  '<!doctype html><html lang="en"><title>Sign in | Moorling</title><main><h1>Sign in</h1><form method="post" action="/session"><label>Email <input name="email" type="email"></label><label>Password <input name="password" type="password"></label><button>Sign in</button></form></main></html>'

const article = /<article>[\s\S]*<\/article>/

/** Reference pages are reached over two detours. */
const detours = (site: FakeSite): FakeSite => ({
  ...mapped(site, (answer, place) => (isReference(place) ? { redirect: `${place}/old` } : answer)),
  ...Object.fromEntries(
    Object.entries(site)
      .filter(([place]) => isReference(place))
      .flatMap(([place, answer]) => [
        [`${place}/old`, { redirect: `${place}/new` }] as const,
        [`${place}/new`, answer] as const
      ])
  )
})

const isReference = (place: string): boolean => isPage(place) && place.startsWith("/v2/reference/")

/** Another address for the whole documentation, without a version in it. */
const unversioned = (site: FakeSite): FakeSite => {
  const renamed = (text: string): string => text.replaceAll("/v2", "/docs")
  const changed = (answer: FakeAnswer): FakeAnswer => {
    const response = responseOf(answer)
    const { body, byAccept, redirect } = response
    return {
      ...response,
      ...(typeof body === "string" ? { body: renamed(body) } : {}),
      ...(redirect === undefined ? {} : { redirect: renamed(redirect) }),
      ...(byAccept === undefined ? {} : { byAccept: mapped(byAccept, changed) })
    }
  }
  return Object.fromEntries(Object.entries(site).map(([place, answer]) => [renamed(place), changed(answer)]))
}

const UNREAD = "a page without text has none of it"

export const hygieneMutations: ReadonlyArray<Mutation> = [
  {
    name: "pages are empty without JavaScript",
    breaks: inAnswers(
      inHtml((html) =>
        html
          .replace(article, '<div id="root"></div><noscript>Enable JavaScript to read this page.</noscript>')
          .replace(/<p class="page-actions">.*<\/p>/, "")
      )
    ),
    costs: "E1",
    alsoMayCost: {
      B3: "there is nothing to compare Markdown with",
      B5: UNREAD,
      D1: UNREAD,
      D2: UNREAD,
      E3: UNREAD,
      F4: UNREAD
    }
  },
  {
    name: "unknown addresses answer 200",
    breaks: inAnswers(withAnswers({ "*": { status: 200, type: "text/html", body: NOT_FOUND } })),
    costs: "E2"
  },
  {
    name: "unknown addresses lead to the first page",
    breaks: inAnswers(withAnswers({ "*": { redirect: "/v2" } })),
    costs: "E2"
  },
  {
    name: "a page is an error page with status 200",
    breaks: inAnswers(
      inPages((response, place) => (place === "/v2/reference/quotes" ? { body: NOT_FOUND } : response))
    ),
    costs: "E2"
  },
  {
    name: "a page asks to sign in",
    breaks: inAnswers(inPages((response, place) => (place === "/v2/reference/quotes" ? { body: LOGIN } : response))),
    costs: "E2"
  },
  { name: "pages are reached over two redirects", breaks: inAnswers(detours), costs: "E2" },
  {
    name: "pages redirect by script",
    breaks: inAnswers(
      inPages((response, place) =>
        /\/(?:berths|quotes|vessels)$/.test(place)
          ? { body: `<!doctype html><title>Moved</title><script>location.replace("${place}/new")</script>` }
          : response
      )
    ),
    costs: "E2",
    alsoMayCost: { B1: "whose Markdown it is cannot be told", B5: UNREAD, E1: UNREAD }
  },
  {
    name: "headings have no ids",
    breaks: inAnswers(inHtml((html) => html.replaceAll(/<(h[23]) id="[^"]*">/g, "<$1>"))),
    costs: "E3"
  },
  {
    name: "addresses show no version",
    breaks: inAnswers(unversioned),
    url: "https://docs.moorling-api.com/docs",
    costs: "E3"
  },
  {
    name: "browsers get other pages than agents",
    breaks: inAnswers(
      inPages((response) => ({
        ...response,
        byAgent: {
          browser: {
            type: "text/html; charset=utf-8",
            body: '<!doctype html><html lang="en"><title>Moorling</title><main><h1>Moorling</h1><p>Our application is best seen in a browser, and here it is, with everything that belongs to it.</p></main></html>'
          }
        }
      }))
    ),
    costs: "E4"
  },
  {
    name: "browsers are answered 403 where agents are not",
    breaks: inAnswers(
      inPages((response) => ({ ...response, byAgent: { browser: { status: 403, body: "Forbidden" } } }))
    ),
    costs: "E4"
  },
  {
    name: "pages cannot be revalidated",
    breaks: inAnswers(inPages((response) => withHeaders(response, { etag: null, "last-modified": null }))),
    costs: "E4"
  },
  {
    name: "pages are not compressed",
    breaks: inAnswers(inPages((response) => withHeaders(response, { "content-encoding": null }))),
    costs: "E4"
  },
  {
    name: "pages do not declare their charset",
    breaks: inAnswers(
      all(
        inPages((response) => ({ ...response, type: "text/html" })),
        inHtml((html) => html.replace(/ *<meta charset="utf-8">\n/, ""))
      )
    ),
    costs: "E4"
  }
]
