import { edgeFunction, rewritesIn } from "./EdgeFunction.ts"
import { headersRead, headersText } from "./HeadersRules.ts"
import type { HostFormat } from "./HostRules.ts"

const FUNCTION = "functions/_middleware.js"

const FORM = {
  opening: "export const onRequest = async ({ env, next, request }) => {",
  fetched: "await env.ASSETS.fetch(file)",
  pass: "return next()",
  closing: "}"
}

/** `_headers` and a middleware of Cloudflare Pages. https://developers.cloudflare.com/pages/functions/middleware/ */
export const cloudflare: HostFormat = {
  use: `Add the lines to the _headers file of the published folder, and put ${FUNCTION} into the root of the Pages project.`,
  write: (rules) => [
    { name: "_headers", text: headersText(rules) },
    ...(rules.rewrites.length === 0 ? [] : [{ name: FUNCTION, text: edgeFunction(rules.rewrites, FORM) }])
  ],
  read: (files) => {
    const headers = headersRead(files.find(({ name }) => name === "_headers")?.text ?? "")
    const rewrites = rewritesIn(files.find(({ name }) => name === FUNCTION)?.text ?? "")
    return headers === null ? null : { link: headers.link, rewrites: headers.varies ? rewrites : [] }
  }
}
