import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type FileHandle, open, rm } from "node:fs/promises"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { writePart } from "./ArchiveFolder.ts"

/** An open file that holds an archive: it can be read while the scope is open. */
export const openArchiveFile = <A extends { readonly handle: FileHandle } | null>(
  opening: () => Promise<A>
): Effect.Effect<A, StoreUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({ try: opening, catch: (cause) => new StoreUnavailable({ cause }) }),
    (opened) => (opened === null ? Effect.void : Effect.ignore(Effect.tryPromise(() => opened.handle.close())))
  )

/** What an open file contains. */
export const fileContent = (handle: FileHandle): Stream.Stream<Uint8Array, StoreUnavailable> =>
  Stream.fromAsyncIterable(
    handle.createReadStream({ autoClose: false, start: 0 }),
    (cause) => new StoreUnavailable({ cause })
  )

/** The same content from a file in the folder, so that memory is free while a slow client reads it. The file has no name, so a process that dies leaves none behind. */
export const onDisk = (
  folder: string,
  content: Uint8Array
): Effect.Effect<Stream.Stream<Uint8Array, StoreUnavailable>, StoreUnavailable, Scope.Scope> =>
  Effect.map(
    openArchiveFile(async () => {
      const path = await writePart(folder, content)
      try {
        return { handle: await open(path, "r") }
      } finally {
        await rm(path, { force: true })
      }
    }),
    ({ handle }) => fileContent(handle)
  )
