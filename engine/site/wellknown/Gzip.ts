import { promisify } from "node:util"
import { constants, gunzip } from "node:zlib"
import * as Effect from "effect/Effect"

const inflate = promisify(gunzip)

/** The bytes are a gzip file, whatever their label says. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** The text (UTF-8) of a gzip file; `null` where it does not inflate, or to more than `limitBytes`. A cut file gives its beginning. */
export const gunzipText = (bytes: Uint8Array, limitBytes: number): Effect.Effect<string | null> =>
  Effect.promise(() =>
    inflate(bytes, { maxOutputLength: limitBytes, finishFlush: constants.Z_SYNC_FLUSH }).then(
      (inflated) => new TextDecoder().decode(inflated),
      () => null
    )
  )
