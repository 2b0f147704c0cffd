import * as Effect from "effect/Effect"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** How a body is sent. */
export type Coding = "br" | "gzip" | "identity"

/** Bodies below this many bytes are not worth compressing. */
export const LEAST_BYTES = 1_024

/** Header values that are remembered; clients send few different ones. */
const REMEMBERED = 200
const negotiated = new Map<string, Coding>()

/** The coding that an `Accept-Encoding` takes best; of those that it likes alike, Brotli, then gzip. */
export const codingFor = (acceptEncoding: string | undefined): Coding => {
  if (acceptEncoding === undefined || acceptEncoding === "") return "identity"
  const known = negotiated.get(acceptEncoding)
  if (known !== undefined) return known
  const coding = negotiate(acceptEncoding)
  if (negotiated.size < REMEMBERED) negotiated.set(acceptEncoding, coding)
  return coding
}

const negotiate = (acceptEncoding: string): Coding => {
  const weights = new Map(acceptEncoding.slice(0, 1_000).split(",").map((item) => weighed(item)))
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get("*") ?? (coding === "identity" ? LEAST_WEIGHT : 0)
  const [best = "identity"] = CODINGS.filter((coding) => weightOf(coding) > 0).sort((one, other) => weightOf(other) - weightOf(one))
  return best
}

/** In the order of our liking. */
const CODINGS: ReadonlyArray<Coding> = ["br", "gzip", "identity"]

/** `identity` is taken where nothing is said of it, but anything that is named is liked better. */
const LEAST_WEIGHT = 0.000_1

const weighed = (item: string): readonly [string, number] => {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith("q="))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return [name === "x-gzip" ? "gzip" : name, Number.isFinite(weight) ? weight : 0]
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Good for text that is sent as soon as it is made; higher ones take several times as long for a few per cent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }
const GZIP = { level: 6 }

/** Compresses off the main thread. */
export const compress = (bytes: Uint8Array, coding: Exclude<Coding, "identity">): Effect.Effect<Uint8Array> =>
  Effect.promise(() => (coding === "br" ? toBrotli(bytes, BROTLI) : toGzip(bytes, GZIP)))
