import { headerIn } from "../../evidence/Exchange.ts"
import { headersFor, parseHeaders } from "../../evidence/folder/HeadersFile.ts"
import { isJsonObject, parsedJson } from "../../text/JsonText.ts"
import type { PathRewrite } from "../site/MarkdownForms.ts"
import { type HostFormat, type HostRules, isSafeLink, RULES_BEGIN, RULES_END } from "./HostRules.ts"

/** What the function of a host begins and ends with. */
interface EdgeFunctionForm {
  /** Declares the function, which has `request`. */
  readonly opening: string
  /** An expression: the response to a request for `file`, a URL. */
  readonly fetched: string
  /** A statement that passes the request on. */
  readonly pass: string
  readonly closing: string
}

/** A function in JavaScript that answers requests for Markdown with the page's Markdown file, if there is one. */
const edgeFunction = (
  rewrites: ReadonlyArray<PathRewrite>,
  { closing, fetched, opening, pass }: EdgeFunctionForm
): string => `// Written by docgauge fix: answers requests that accept text/markdown with the page's Markdown file.
const REWRITES = ${JSON.stringify(rewrites)}

${opening}
  const { pathname } = new URL(request.url)
  const rewrite = REWRITES.find(({ match }) => new RegExp(match).test(pathname))
  const accepts = /text\\/markdown/i.test(request.headers.get("accept") ?? "")
  if (request.method !== "GET" || !accepts || rewrite === undefined || pathname.endsWith(".md")) ${pass}
  const file = new URL(pathname.replace(new RegExp(rewrite.match), rewrite.to), request.url)
  const markdown = ${fetched}
  if (!markdown.ok) ${pass}
  const headers = new Headers(markdown.headers)
  headers.set("content-type", "text/markdown; charset=utf-8")
  headers.append("vary", "Accept")
  return new Response(markdown.body, { status: 200, headers })
${closing}
`

/** The rewrites of such a function; empty for any other script. */
const rewritesIn = (script: string): ReadonlyArray<PathRewrite> => {
  const line = script.split("\n").find((one) => one.startsWith("const REWRITES = "))
  const value = parsedJson(line?.slice("const REWRITES = ".length) ?? "[]")
  return Array.isArray(value)
    ? value.flatMap((one: unknown): ReadonlyArray<PathRewrite> => {
        if (!isJsonObject(one)) return []
        const { match, to } = one
        return typeof match === "string" && typeof to === "string" ? [{ match, to }] : []
      })
    : []
}

/** The format of a host that takes `_headers` and a function of this form. `name`: the function's file; `place`: where that goes. */
const edgeFunctionFormat = (name: string, place: string, form: EdgeFunctionForm): HostFormat => ({
  use: `Add the lines to the _headers file of the published folder, and put ${name} into ${place}.`,
  write: (rules) => [
    { name: "_headers", text: headersText(rules) },
    ...(rules.rewrites.length === 0 ? [] : [{ name, text: edgeFunction(rules.rewrites, form) }])
  ],
  read: (files) => {
    const headers = headersRead(files.find((file) => file.name === "_headers")?.text ?? "")
    const rewrites = rewritesIn(files.find((file) => file.name === name)?.text ?? "")
    return headers === null ? null : { link: headers.link, rewrites: headers.varies ? rewrites : [] }
  }
})

/** A `_headers` file with the same headers for every path. */
export const headersText = ({ link, rewrites }: HostRules): string =>
  `${RULES_BEGIN}\n/*\n${link === null ? "" : `  Link: ${link}\n`}${rewrites.length === 0 ? "" : "  Vary: Accept\n"}${RULES_END}\n`

/** The `Link` header that a `_headers` file sets, and whether it sets `Vary: Accept`; `null` if it sets another. */
const headersRead = (text: string): { readonly link: string | null; readonly varies: boolean } | null => {
  const set = headersFor(parseHeaders(text), "/any/page")
  const link = headerIn(set, "link")
  return link !== null && !isSafeLink(link) ? null : { link, varies: headerIn(set, "vary") === "Accept" }
}

/** `_headers` and a middleware of Cloudflare Pages. https://developers.cloudflare.com/pages/functions/middleware/ */
export const cloudflare = edgeFunctionFormat("functions/_middleware.js", "the root of the Pages project", {
  opening: "export const onRequest = async ({ env, next, request }) => {",
  fetched: "await env.ASSETS.fetch(file)",
  pass: "return next()",
  closing: "}"
})

/** `_headers` and an edge function. https://docs.netlify.com/edge-functions/overview/ */
export const netlify = edgeFunctionFormat("netlify/edge-functions/docgauge-markdown.js", "the repository", {
  opening: "export default async (request) => {",
  fetched: "await fetch(file)",
  pass: "return",
  closing: '}\n\nexport const config = { path: "/*" }'
})

const CONFIGURATION = "vercel.json"
const FUNCTION = "middleware.js"

const FORM = {
  opening: "export default async function middleware(request) {",
  fetched: "await fetch(file)",
  pass: "return",
  closing: "}"
}

/** The value that `vercel.json` gives a header of every path. */
const headerOf = (text: string, name: string): string | null => {
  const value = parsedJson(text)
  const rules: unknown = isJsonObject(value) ? value["headers"] : null
  const [rule]: ReadonlyArray<unknown> = Array.isArray(rules) ? rules : []
  const headers: unknown = isJsonObject(rule) && rule["source"] === "/(.*)" ? rule["headers"] : null
  const found = (Array.isArray(headers) ? headers : []).find((one: unknown) => isJsonObject(one) && one["key"] === name)
  return isJsonObject(found) && typeof found["value"] === "string" ? found["value"] : null
}

/** `vercel.json` and a routing middleware. https://vercel.com/docs/routing-middleware */
export const vercel: HostFormat = {
  use: `Merge ${CONFIGURATION} into yours, and put ${FUNCTION} into the root of the project.`,
  write: ({ link, rewrites }) => {
    const headers = [
      ...(link === null ? [] : [{ key: "Link", value: link }]),
      ...(rewrites.length === 0 ? [] : [{ key: "Vary", value: "Accept" }])
    ]
    return [
      { name: CONFIGURATION, text: `${JSON.stringify({ headers: [{ source: "/(.*)", headers }] }, null, 2)}\n` },
      ...(rewrites.length === 0 ? [] : [{ name: FUNCTION, text: edgeFunction(rewrites, FORM) }])
    ]
  },
  read: (files) => {
    const text = files.find(({ name }) => name === CONFIGURATION)?.text ?? ""
    const link = headerOf(text, "Link")
    const rewrites = rewritesIn(files.find(({ name }) => name === FUNCTION)?.text ?? "")
    return link !== null && !isSafeLink(link)
      ? null
      : { link, rewrites: headerOf(text, "Vary") === "Accept" ? rewrites : [] }
  }
}
