import * as Effect from "effect/Effect"
import { archiveOf } from "../../../engine/evidence/archive/Recording.ts"

/** The archive of a run as bytes. */
export const archiveBytes = (...[info, recorded, mostBytes]: Parameters<typeof archiveOf>): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const pieces: Array<Uint8Array> = []
    for await (const piece of archiveOf(info, recorded, mostBytes)) pieces.push(piece)
    return Buffer.concat(pieces)
  })
