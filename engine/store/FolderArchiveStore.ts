import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ArchiveRule } from "./ArchiveRule.ts"
import { ArchiveStore, type Proof, type StoredArchive } from "./ArchiveStore.ts"
import { keyOf, storedId } from "./RunRows.ts"
import { StoreUnavailable } from "./RunStore.ts"

/**
 * Archives in a folder: `runs/NN/ID.warc.gz`, with an empty file `sites/KEY/ID` beside each for the retention rule to
 * count by. Ids are UUIDs and keys are digests, so that no name comes from outside; ids also tell the time of their runs.
 */
export const layerFolder = (rule: ArchiveRule): Layer.Layer<ArchiveStore> => {
  const sweep = Effect.ignore(Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.tryPromise(() => sweepAll(rule, now))))
  // What is written to a site sweeps that site; what grows old where nothing is written, only this does.
  const daily = Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 day")))
  return Layer.effect(ArchiveStore, Effect.as(daily, {
    put: ({ id, site }, bytes, proof) => Effect.flatMap(Clock.currentTimeMillis, (now) => attempt(() => put(rule, id, shelfOf(site, proof), bytes, now))),
    read: (id) => read(rule.folder, id),
    remove: ({ id, site }) => attempt(() => remove(rule.folder, id, site))
  }))
}

/** Where the archives of a site are counted: those of its reports, or those of its failures. */
const shelfOf = (site: string, proof: Proof): string => (proof === "report" ? keyOf(site) : keyOf(site, proof))

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise({ try: run, catch: (cause) => new StoreUnavailable({ cause }) })

const archivePath = (folder: string, id: string): string => join(folder, "runs", id.slice(-2), `${id}.warc.gz`)

const markPath = (folder: string, site: string, id: string): string => join(folder, "sites", site, id)

const put = async (rule: ArchiveRule, givenId: string, site: string, bytes: Uint8Array, now: number): Promise<void> => {
  const id = storedId(givenId)
  if (id === null) throw new Error("a run's id is a UUID")
  // The mark first: an archive without one would stay for good.
  await writeWhole(rule.folder, markPath(rule.folder, site, id), new Uint8Array())
  await writeWhole(rule.folder, archivePath(rule.folder, id), bytes)
  await sweepSite(rule, site, now)
}

const writeWhole = async (folder: string, path: string, bytes: Uint8Array): Promise<void> => {
  const part = join(folder, "parts", randomUUID())
  await mkdir(dirname(part), { recursive: true })
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(part, bytes, { flush: true })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const remove = async (folder: string, givenId: string, site: string): Promise<void> => {
  const id = storedId(givenId)
  if (id === null) return
  await rm(archivePath(folder, id), { force: true })
  for (const proof of ["report", "failure"] as const) await rm(markPath(folder, shelfOf(site, proof), id), { force: true })
}

/** Drops what the rule no longer keeps of a site. */
const sweepSite = async ({ days, folder, keep }: ArchiveRule, site: string, now: number): Promise<void> => {
  // UUIDv7: their order is that of their runs.
  const ids = (await namesIn(join(folder, "sites", site))).filter((name) => storedId(name) === name).sort().reverse()
  const dropped = ids.filter((id, index) => (keep !== null && index >= keep) || (days !== null && timeOf(id) < now - days * DAY))
  for (const id of dropped) {
    await rm(archivePath(folder, id), { force: true })
    await rm(markPath(folder, site, id), { force: true })
  }
}

const DAY = 24 * 60 * 60 * 1_000

/** The milliseconds since the epoch that a UUIDv7 begins with. */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const sweepAll = async (rule: ArchiveRule, now: number): Promise<void> => {
  for (const site of await namesIn(join(rule.folder, "sites"))) await sweepSite(rule, site, now)
  // Left by a process that died while it wrote.
  for (const name of await namesIn(join(rule.folder, "parts"))) {
    const part = join(rule.folder, "parts", name)
    const written = await stat(part).then(({ mtimeMs }) => mtimeMs, () => now)
    if (written < now - DAY) await rm(part, { force: true })
  }
}

/** The names in a folder, none where there is no such folder. */
const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const read = (folder: string, givenId: string) => {
  const id = storedId(givenId)
  if (id === null) return Effect.succeed(null)
  const opened = Effect.acquireRelease(
    attempt(() => open(archivePath(folder, id), "r").catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })),
    (handle) => handle === null ? Effect.void : Effect.ignore(attempt(() => handle.close()))
  )
  return Effect.flatMap(opened, (handle) =>
    handle === null ? Effect.succeed(null) : Effect.map(attempt(() => handle.stat()), ({ size }): StoredArchive => ({
      size,
      content: Stream.fromAsyncIterable(handle.createReadStream({ autoClose: false, start: 0 }), (cause) => new StoreUnavailable({ cause }))
    })))
}
