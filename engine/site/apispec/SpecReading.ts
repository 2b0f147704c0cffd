import * as Effect from "effect/Effect"
import { onSite } from "../../evidence/Address.ts"
import { type Answer, type Exchange, isAnswer, isOk, mediaType } from "../../evidence/Exchange.ts"
import type { ParsedSpec, SpecFile } from "../../apispec/ApiSpec.ts"
import type { GatherContext } from "../base/GatherContext.ts"

/** Files that the references of one description may lead to. */
const FILES = 20
/** Files that lead to files that lead to files. */
const ROUNDS = 5

/** Reads a description, and the files on the site that its references lead to. */
export const readDescription = Effect.fnUntraced(function*(context: GatherContext, document: SpecFile): Effect.fn.Return<ParsedSpec> {
  const { base, collector, limits, parsing } = context
  const others: Array<SpecFile> = []
  const absent: Array<string> = []
  const asked = new Set<string>([document.url])
  for (let round = 0; ; round++) {
    const spec = yield* parsing.spec({ document, others, absent, limits })
    if (spec._tag === "Unparsed" || round === ROUNDS) return spec
    const wanted = spec.missingFiles.filter((url) => onSite(url, base.site) && !asked.has(url)).slice(0, FILES + 1 - asked.size)
    if (wanted.length === 0) return spec
    const exchanges = yield* collector.getAll(wanted.map((url) => ({ url, limit: "document" } as const)))
    for (const [index, url] of wanted.entries()) {
      asked.add(url)
      const exchange = exchanges[index]
      if (exchange === undefined) continue
      if (isOk(exchange)) others.push({ ...fileOf(exchange), url })
      else if (saysAbsent(exchange)) absent.push(url)
    }
  }
})

/** A body as a file of a description; its bytes are the answer's own. */
export const fileOf = (answer: Answer): SpecFile => ({
  url: answer.url,
  mediaType: mediaType(answer),
  bytes: answer.body,
  cut: answer.cut
})

const saysAbsent = (exchange: Exchange): boolean => isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410)

/** The body begins as markup does: no description, and not worth waking the reader for. */
export const isMarkup = ({ body }: Answer): boolean => {
  const first = body.subarray(0, 512).find((byte) => byte > 0x20 && byte < 0x80)
  return first === 0x3c
}
