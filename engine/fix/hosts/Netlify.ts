import { edgeFunction, rewritesIn } from "./EdgeFunction.ts"
import { headersRead, headersText } from "./HeadersRules.ts"
import type { HostFormat } from "./HostRules.ts"

const FUNCTION = "netlify/edge-functions/docgauge-markdown.js"

const FORM = {
  opening: "export default async (request) => {",
  fetched: "await fetch(file)",
  pass: "return",
  closing: "}\n\nexport const config = { path: \"/*\" }"
}

/** `_headers` and an edge function. https://docs.netlify.com/edge-functions/overview/ */
export const netlify: HostFormat = {
  use: `Add the lines to the _headers file of the published folder, and put ${FUNCTION} into the repository.`,
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
