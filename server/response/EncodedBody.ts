import * as Effect from "effect/Effect"
import { type Coding, codingFor, compress, LEAST_BYTES } from "./Compression.ts"

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
