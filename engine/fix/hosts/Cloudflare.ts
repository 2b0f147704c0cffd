import { edgeFunctionFormat } from "./EdgeFunction.ts"

/** `_headers` and a middleware of Cloudflare Pages. https://developers.cloudflare.com/pages/functions/middleware/ */
export const cloudflare = edgeFunctionFormat("functions/_middleware.js", "the root of the Pages project", {
  opening: "export const onRequest = async ({ env, next, request }) => {",
  fetched: "await env.ASSETS.fetch(file)",
  pass: "return next()",
  closing: "}"
})
