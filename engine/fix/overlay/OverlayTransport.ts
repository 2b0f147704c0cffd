import * as Effect from "effect/Effect"
import { normalise, originOf } from "../../evidence/Address.ts"
import { charsetOfHtml } from "../../evidence/BodyText.ts"
import { firstHeaderIn, type Headers, isSuccess } from "../../evidence/Exchange.ts"
import { type Hop, type HopAnswer, type HopRequest, NOTHING_SENT, type Transport } from "../../evidence/Transport.ts"
import { contentTypeOf, MARKDOWN_TYPE } from "../../text/HttpValues.ts"
import { ACCEPTS_MARKDOWN, addedHeaders, type HostRules, rewritten } from "../hosts/HostRules.ts"
import { withHead } from "./HeadInsertion.ts"

/** What is published over a site. */
export interface Overlay {
  /** The origin whose host follows `rules`. */
  readonly origin: string
  /** Texts of files by URL. */
  readonly files: ReadonlyMap<string, string>
  /** Snippets for the heads of pages, by URL. */
  readonly heads: ReadonlyMap<string, string>
  /** As they were read from the files written for the host; `null`: none. */
  readonly rules: HostRules | null
}

type Send = Transport["Service"]["send"]

/** The site below, as it would answer with the files, snippets and rules in place. */
export const overlaid = (under: Send, overlay: Overlay): Send => {
  const bodies = new Map([...overlay.files].map(([url, text]) => [url, new TextEncoder().encode(text)]))
  return (request) => {
    const { accept, method, url } = request.asked
    if (method !== "GET") return under(request)
    const isOwn = originOf(url) === overlay.origin
    const rules = isOwn ? overlay.rules : null
    const negotiated = rules !== null && ACCEPTS_MARKDOWN.test(accept) ? markdownFile(rules, url) : null
    if (negotiated === null) return plain(under, overlay, bodies, request, rules)
    const generated = bodies.get(negotiated)
    if (generated !== undefined) return Effect.succeed(fileAnswer(negotiated, generated, request.limitBytes, rules))
    return Effect.flatMap(under({ ...request, asked: { ...request.asked, url: negotiated, accept: "*/*" } }), (hop) =>
      hop._tag === "HopAnswer" && isSuccess(hop.status) && !isHtmlAnswer(hop)
        ? Effect.succeed({
            ...hop,
            headers: withAdded([...without(hop.headers, "content-type"), ["content-type", MARKDOWN_TYPE]], rules)
          })
        : plain(under, overlay, bodies, request, rules)
    )
  }
}

/** The URL of the file that the rules send in place of a page. */
const markdownFile = (rules: HostRules, url: string): string | null => {
  const { origin, pathname, search } = new URL(url)
  const file = search === "" ? rewritten(rules, pathname) : null
  return file === null ? null : normalise(`${origin}${file}`)
}

const plain = (
  under: Send,
  overlay: Overlay,
  bodies: ReadonlyMap<string, Uint8Array>,
  request: HopRequest,
  rules: HostRules | null
): Effect.Effect<Hop> => {
  const { url } = request.asked
  const body = bodies.get(url)
  if (body !== undefined) return Effect.succeed(fileAnswer(url, body, request.limitBytes, rules))
  return Effect.map(under(request), (hop) => {
    if (hop._tag === "HopFault" || !isSuccess(hop.status)) return hop
    const snippet = overlay.heads.get(url)
    const headed =
      snippet === undefined || hop.cut || hop.bodyBytes !== undefined || !isHtmlAnswer(hop)
        ? null
        : withHead(hop.body, snippet, charsetOfHtml(hop.body, firstHeaderIn(hop.headers, "content-type") ?? ""))
    return {
      ...hop,
      headers: withAdded(hop.headers, rules),
      ...(headed === null
        ? {}
        : { body: headed.subarray(0, request.limitBytes), cut: headed.length > request.limitBytes })
    }
  })
}

const fileAnswer = (url: string, body: Uint8Array, limitBytes: number, rules: HostRules | null): HopAnswer => {
  const type = contentTypeOf(new URL(url).pathname)
  return {
    _tag: "HopAnswer",
    status: 200,
    headers: withAdded(type === null ? [] : [["content-type", type]], rules),
    body: body.subarray(0, limitBytes),
    cut: body.length > limitBytes,
    wireBytes: body.length,
    meta: NOTHING_SENT
  }
}

const withAdded = (headers: Headers, rules: HostRules | null): Headers =>
  rules === null ? headers : [...headers, ...addedHeaders(rules)]

const without = (headers: Headers, name: string): Headers => headers.filter(([own]) => own !== name)

const isHtmlAnswer = ({ headers }: HopAnswer): boolean => /html/i.test(firstHeaderIn(headers, "content-type") ?? "html")
