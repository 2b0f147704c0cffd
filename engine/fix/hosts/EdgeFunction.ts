import { headerIn } from "../../evidence/Headers.ts"
import { headersFor, parseHeaders } from "../../evidence/folder/HeadersFile.ts"
import { isJsonObject } from "../../text/JsonObject.ts"
import { parsedJson } from "../../text/ParsedJson.ts"
import type { PathRewrite } from "../site/MarkdownForms.ts"
import { type HostFormat, type HostRules, isSafeLink, RULES_BEGIN, RULES_END } from "./HostRules.ts"

/** What the function of a host begins and ends with. */
export interface EdgeFunctionForm {
  /** Declares the function, which has `request`. */
  readonly opening: string
  /** An expression: the response to a request for `file`, a URL. */
  readonly fetched: string
  /** A statement that passes the request on. */
  readonly pass: string
  readonly closing: string
}

/** A function in JavaScript that answers requests for Markdown with the page's Markdown file, if there is one. */
export const edgeFunction = (
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
export const rewritesIn = (script: string): ReadonlyArray<PathRewrite> => {
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
export const edgeFunctionFormat = (name: string, place: string, form: EdgeFunctionForm): HostFormat => ({
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
