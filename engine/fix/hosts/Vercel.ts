import { isJsonObject } from "../../text/JsonObject.ts"
import { parsedJson } from "../../text/ParsedJson.ts"
import { edgeFunction, rewritesIn } from "./EdgeFunction.ts"
import { type HostFormat, isSafeLink } from "./HostRules.ts"

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
