import { edgeFunctionFormat } from "./EdgeFunction.ts"

/** `_headers` and an edge function. https://docs.netlify.com/edge-functions/overview/ */
export const netlify = edgeFunctionFormat("netlify/edge-functions/docgauge-markdown.js", "the repository", {
  opening: "export default async (request) => {",
  fetched: "await fetch(file)",
  pass: "return",
  closing: '}\n\nexport const config = { path: "/*" }'
})
