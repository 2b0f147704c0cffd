import * as Effect from "effect/Effect"
import { type Coding, codingFor, compress, LEAST_BYTES } from "./ContentCoding.ts"

/**
 * A body that is sent again and again: compressed once for each coding that is asked for, and kept so.
 */
export class CodedBody {
  readonly identity: Uint8Array
  private readonly coded = new Map<Coding, Uint8Array>()

  constructor(text: string) {
    this.identity = Buffer.from(text)
  }

  /** The coding that goes to a client with this `Accept-Encoding`. */
  codingFor(acceptEncoding: string | undefined): Coding {
    return this.identity.length < LEAST_BYTES ? "identity" : codingFor(acceptEncoding)
  }

  /** The bytes in a coding, where they are there already. */
  peek(coding: Coding): Uint8Array | undefined {
    return coding === "identity" ? this.identity : this.coded.get(coding)
  }

  bytes(coding: Coding): Effect.Effect<Uint8Array> {
    const known = this.peek(coding)
    if (known !== undefined || coding === "identity") return Effect.succeed(known ?? this.identity)
    return Effect.tap(compress(this.identity, coding), (bytes) => Effect.sync(() => { this.coded.set(coding, bytes) }))
  }

  /** Bytes of memory, all codings taken together. */
  get size(): number {
    return [...this.coded.values()].reduce((sum, { length }) => sum + length, this.identity.length)
  }
}
