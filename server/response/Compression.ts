import * as Effect from "effect/Effect"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { weightsOf } from "./Negotiation.ts"

/** The content codings that we send, in our order of preference. */
export const CODINGS = ["br", "gzip", "identity"] as const

/** One of them. */
export type Coding = (typeof CODINGS)[number]

/** Bodies below this many bytes are not worth compressing. */
export const LEAST_BYTES = 1_024

/** The coding with the highest weight in an `Accept-Encoding` header; if equal Brotli, then gzip. */
export const codingFor = (acceptEncoding: string | undefined): Coding => {
  if (acceptEncoding === undefined || acceptEncoding === "") return "identity"
  const weights = weightsOf(acceptEncoding)
  const weightOf = (coding: Coding): number =>
    weights.get(coding) ??
    (coding === "gzip" ? weights.get("x-gzip") : undefined) ??
    weights.get("*") ??
    (coding === "identity" ? LEAST_WEIGHT : 0)
  const [best = "identity"] = CODINGS.filter((coding) => weightOf(coding) > 0).sort(
    (one, other) => weightOf(other) - weightOf(one)
  )
  return best
}

/** `identity` is acceptable unless excluded (RFC 9110 §12.5.3), but any named coding is preferred. */
const LEAST_WEIGHT = 0.000_1

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Higher qualities take several times as long for a few per cent. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
}
const GZIP = { level: 6 }

/** Compresses off the main thread. */
export const compress = (bytes: Uint8Array, coding: Exclude<Coding, "identity">): Effect.Effect<Uint8Array> =>
  Effect.promise(() => (coding === "br" ? toBrotli(bytes, BROTLI) : toGzip(bytes, GZIP)))
