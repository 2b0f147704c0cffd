import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { weightsOf } from "./Negotiation.ts"

/** All compressed forms together take less than this share of the uncompressed size. */
const COMPRESSED_SHARE = 0.5

/** A text body that is sent repeatedly: compressed once for each coding that clients ask for. */
export class EncodedBody {
  readonly identity: Uint8Array
  private readonly compressed = new Map<Coding, Uint8Array>()

  constructor(text: string) {
    this.identity = Buffer.from(text)
  }

  /** Bytes of memory, including the compressed forms it may get. */
  get cost(): number {
    return this.identity.length * (1 + COMPRESSED_SHARE)
  }

  get text(): string {
    return Buffer.from(this.identity).toString()
  }

  /** The coding for a client with this `Accept-Encoding`. */
  codingFor(acceptEncoding: string | undefined): Coding {
    return this.identity.length < LEAST_BYTES ? "identity" : codingFor(acceptEncoding)
  }

  bytes(coding: Coding): Effect.Effect<Uint8Array> {
    const known = coding === "identity" ? this.identity : this.compressed.get(coding)
    if (known !== undefined || coding === "identity") return Effect.succeed(known ?? this.identity)
    return Effect.tap(compress(this.identity, coding), (bytes) =>
      Effect.sync(() => {
        this.compressed.set(coding, bytes)
      })
    )
  }
}

/** The content codings that we send, in our order of preference. */
const CODINGS = ["br", "gzip", "identity"] as const

/** One of them. */
export type Coding = (typeof CODINGS)[number]

/** Bodies below this many bytes are not worth compressing. */
export const LEAST_BYTES = 1_024

/** The coding with the highest weight in an `Accept-Encoding` header; if equal Brotli, then gzip. */
export const codingFor = (acceptEncoding: string | undefined): Coding => codingAmong(acceptEncoding, CODINGS)

/** The same of some codings; if equal the first of them. */
export const codingAmong = <const Some extends Coding>(
  acceptEncoding: string | undefined,
  codings: ReadonlyArray<Some | "identity">
): Some | "identity" => {
  if (acceptEncoding === undefined || acceptEncoding === "") return "identity"
  const weights = weightsOf(acceptEncoding)
  const weightOf = (coding: Coding): number =>
    weights.get(coding) ??
    (coding === "gzip" ? weights.get("x-gzip") : undefined) ??
    weights.get("*") ??
    (coding === "identity" ? LEAST_WEIGHT : 0)
  const [best = "identity"] = codings
    .filter((coding) => weightOf(coding) > 0)
    .sort((one, other) => weightOf(other) - weightOf(one))
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

/** A hash of the content before any coding. */
export const digestOf = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22)

/** The strong tag of the content in a coding; codings differ in their bytes, so their tags differ. */
export const entityTagOf = (digest: string, coding: Coding): string =>
  coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`

/** Whether `If-None-Match` (a list, weak or strong, or `*`) names the content in any coding. */
export const isKnown = (ifNoneMatch: string, digest: string): boolean =>
  ifNoneMatch.trim() === "*" || tagsIn(ifNoneMatch).some(({ tag }) => names(tag, digest))

/** Whether `If-Match` (a list of strong tags, or `*`) names the content in any coding. */
export const isMatched = (ifMatch: string, digest: string): boolean =>
  ifMatch.trim() === "*" || tagsIn(ifMatch).some(({ tag, weak }) => !weak && names(tag, digest))

/** A digest may itself end like the name of a coding, so nothing is cut off. */
const names = (tag: string, digest: string): boolean => CODINGS.some((coding) => tag === entityTagOf(digest, coding))

const tagsIn = (list: string): ReadonlyArray<{ readonly tag: string; readonly weak: boolean }> =>
  [...list.matchAll(/(W\/)?("[^"]*")/g)].map(([, weak, tag = ""]) => ({ tag, weak: weak !== undefined }))
