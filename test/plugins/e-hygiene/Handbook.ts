import type { FakeResponse, FakeSite } from "../../../engine/testing/FakeSite.ts"

/** The pages of a small handbook; the first is the start page. */
export const PATHS = ["/", "/install", "/usage", "/limits", "/support"] as const

export type HandbookPath = (typeof PATHS)[number]

const NAVIGATION = `<nav>${PATHS.map((path) => `<a href="${path}">${path}</a>`).join(" ")}</nav>`

/** A page with text of its own; `head` and `more` are mark-up. */
export const page = (
  path: string,
  { head = "", more = "" }: { readonly head?: string; readonly more?: string } = {}
): string =>
  `<!doctype html><html lang="en"><head><title>Handbook ${path}</title>${head}</head><body>${NAVIGATION}<main><h1>About ${path}</h1>` +
  `<p>What the handbook has to say about ${path}, in as many words as it takes to be a page and not a stub, and in one more sentence of the same kind.</p>${more}</main></body></html>`

/** What a browser fills in. */
export const shell = `<!doctype html><html lang="en"><head><title>Handbook</title></head><body>${NAVIGATION}<div id="root"></div><script src="/app.js"></script></body></html>`

export const login = `<!doctype html><html><head><title>Sign in</title></head><body><main><h1>Sign in</h1><form><input type="email"><input type="password"><button>Sign in</button></form></main></body></html>`

export const softError = `<!doctype html><html><head><title>Page not found</title></head><body><main><h1>Page not found</h1><p>The page you are looking for does not exist.</p></main></body></html>`

/** The handbook; `others` replaces pages or adds to them. */
export const handbook = (
  others: FakeSite = {},
  render: (path: HandbookPath) => string | FakeResponse = (path) => page(path)
): FakeSite => ({
  ...Object.fromEntries(PATHS.map((path) => [path, render(path)])),
  ...others
})
