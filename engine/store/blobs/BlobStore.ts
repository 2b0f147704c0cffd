import * as Effect from "effect/Effect"
import { sha256 } from "../../evidence/LargeBytes.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

/** What the bytes of a blob must be. */
export interface BlobDigest {
  readonly bytes: number
  /** SHA-256, hexadecimal. */
  readonly sha256: string
}

/** Bytes by key, outside of the database: a folder or an S3-compatible store. The table `objects` says which there are. */
export interface BlobStore {
  /** Writes or replaces a blob; succeeds only if the store has exactly these bytes. `digest` is theirs. */
  readonly put: (key: string, content: Uint8Array, digest: BlobDigest) => Effect.Effect<void, StoreUnavailable>
  /** Reads a whole blob; fails if its bytes are not those of the digest; `null` if there is none. */
  readonly read: (key: string, digest: BlobDigest) => Effect.Effect<Uint8Array | null, StoreUnavailable>
  /** Deletes a blob, if it exists. */
  readonly remove: (key: string) => Effect.Effect<void, StoreUnavailable>
}

export const blobDigest = (content: Uint8Array): Effect.Effect<BlobDigest> =>
  Effect.map(
    Effect.promise(() => sha256(content)),
    (digest) => ({ bytes: content.length, sha256: digest })
  )

/** A blob that can be read while the scope is open, also if it is deleted meanwhile. */
interface OpenBlob {
  readonly size: number
  readonly content: Stream.Stream<Uint8Array, StoreUnavailable>
}

interface FolderBlobs extends BlobStore {
  /** Its bytes, without a look at their digest; `null` if there is none. */
  readonly whole: (key: string) => Effect.Effect<Uint8Array | null, StoreUnavailable>
  /** The same as a stream. */
  readonly open: (key: string) => Effect.Effect<OpenBlob | null, StoreUnavailable, Scope.Scope>
  /** The keys of the blobs directly below a key. */
  readonly keysBelow: (key: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
}

/**
 * Blobs as files that only the process's user can read. Each is written to the folder `parts` first, on the same file system, so that it
 * is complete or missing.
 */
export const folderBlobs = (folder: string, parts: string): FolderBlobs => {
  const whole = (key: string) => attempt(() => unlessMissing(readFile(join(folder, key))))
  return {
    put: (key, content) =>
      attempt(async (signal) => {
        const path = join(folder, key)
        const part = await writePart(parts, content)
        try {
          await makeFolder(dirname(path))
          signal.throwIfAborted()
          await rename(part, path)
        } finally {
          await rm(part, { force: true })
        }
      }),
    whole,
    read: Effect.fnUntraced(function* (key, digest) {
      const content = yield* whole(key)
      if (content !== null && (yield* blobDigest(content)).sha256 !== digest.sha256)
        return yield* new StoreUnavailable({
          cause: new Error(`${join(folder, key)} has other bytes than were stored`)
        })
      return content
    }),
    remove: (key) => attempt(() => rm(join(folder, key), { force: true })),
    open: (key) => openFile(() => unlessMissing(open(join(folder, key), "r"))),
    keysBelow: (key) => attempt(async () => (await namesIn(join(folder, key))).map((name) => `${key}/${name}`))
  }
}

/** The same bytes from a file in the folder, so that memory is free while a slow client reads them. The file has no name, so a process that dies leaves none behind. */
export const onDisk = (
  parts: string,
  content: Uint8Array
): Effect.Effect<OpenBlob | null, StoreUnavailable, Scope.Scope> =>
  openFile(async () => {
    const path = await writePart(parts, content)
    try {
      return await open(path, "r")
    } finally {
      await rm(path, { force: true })
    }
  })

const openFile = Effect.fnUntraced(function* (opening: () => Promise<FileHandle | null>) {
  const handle = yield* Effect.acquireRelease(attempt(opening), (opened) =>
    opened === null ? Effect.void : Effect.ignore(attempt(() => opened.close()))
  )
  if (handle === null) return null
  const { size } = yield* attempt(() => handle.stat())
  const blob: OpenBlob = {
    size,
    content: Stream.fromAsyncIterable(
      handle.createReadStream({ autoClose: false, start: 0 }),
      (cause) => new StoreUnavailable({ cause })
    )
  }
  return blob
})

const DAY = 24 * 60 * 60 * 1_000

/** Deletes temporary files that are older than a day: those of processes that died while writing. */
export const dropOldParts = Effect.fnUntraced(function* (parts: string, now: number) {
  for (const name of yield* attempt(() => namesIn(parts))) {
    const path = join(parts, name)
    const found = yield* attempt(() => unlessMissing(stat(path)))
    if (found !== null && found.mtimeMs < now - DAY) yield* attempt(() => rm(path, { force: true }))
  }
})

export const makeFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

const writePart = async (parts: string, content: Uint8Array): Promise<string> => {
  const part = join(parts, randomUUID())
  await makeFolder(parts)
  try {
    await writeFile(part, content, { flush: true, mode: 0o600 })
    return part
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** The names in a folder; empty if there is no such folder. */
export const namesIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await unlessMissing(readdir(folder))) ?? []

/** `null` if there is no such file or folder. */
export const unlessMissing = async <A>(promise: Promise<A>): Promise<A | null> => {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null
    throw error
  }
}

/** A failure of the file system is one of the store. */
export const attempt = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise({ try: run, catch: (cause) => new StoreUnavailable({ cause }) })
