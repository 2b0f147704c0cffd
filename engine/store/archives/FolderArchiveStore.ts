import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type FileHandle, open, readFile, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { MOST_ARCHIVE_BYTES } from "../../evidence/archive/ArchiveCuts.ts"
import { domainOf } from "../../evidence/Address.ts"
import { fileContent, openArchiveFile } from "./ArchiveFile.ts"
import {
  archiveName,
  archiveNames,
  archivePath,
  archivesOf,
  attemptsOf,
  domainMark,
  domainMarks,
  isFileMissing,
  makeFolder,
  type NamedArchive,
  namesIn,
  parseArchiveName,
  siteKey,
  siteMark,
  sizeOf,
  writeMark,
  writePart
} from "./ArchiveFolder.ts"
import {
  announceArchiveMetrics,
  countNotKept,
  noteArchiveBytes,
  noteFreeSpace,
  type NotKept
} from "./ArchiveMetrics.ts"
import { MOST_OF_DOMAIN, sweepAll, sweepDomain, sweepSite } from "./ArchiveRetention.ts"
import type { ArchiveRule } from "./ArchiveRule.ts"
import { ArchiveSpace, LEAST_FREE_BYTES } from "./ArchiveSpace.ts"
import {
  type ArchiveContent,
  type ArchivedAttempt,
  ArchiveStore,
  type Proof,
  type StoredArchive
} from "./ArchiveStore.ts"
import { type ArchiveTotal, makeArchiveTotal } from "./ArchiveTotal.ts"
import { FreeSpace } from "./FreeSpace.ts"
import { isRunId, storedId } from "../runs/RunId.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"

/** Interval between reads of the free space. */
const WATCH_INTERVAL = "10 seconds"

/** An archive in the folder, open for reading. */
export interface FolderArchive extends StoredArchive {
  readonly attempt: number
}

/** The archives of one folder. */
export interface FolderArchives extends Context.Service.Shape<typeof ArchiveStore> {
  readonly isLow: Effect.Effect<boolean>
  /** The ids of all archives in the folder. */
  readonly ids: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /** The archive of the latest attempt at the run. */
  readonly read: (id: string) => Effect.Effect<FolderArchive | null, StoreUnavailable, Scope.Scope>
  /** What an archive is evidence for. */
  readonly proof: (run: ArchivedAttempt) => Effect.Effect<Proof, StoreUnavailable>
  /** Deletes the archive of an attempt, and those of earlier ones. */
  readonly removeAttempt: (run: ArchivedAttempt) => Effect.Effect<void, StoreUnavailable>
}

/** Archives in a folder, with the layout of `ArchiveFolder`. Several processes may use one folder. */
export const layerFolder = (rule: ArchiveRule): Layer.Layer<ArchiveStore | ArchiveSpace> =>
  Layer.effectContext(
    Effect.map(makeFolderArchives(rule), (archives) =>
      Context.make(ArchiveSpace, archives).pipe(Context.add(ArchiveStore, archives))
    )
  )

/** Opens the folder for as long as the scope. */
export const makeFolderArchives = (
  rule: ArchiveRule,
  mostOfDomain = MOST_OF_DOMAIN
): Effect.Effect<FolderArchives, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { folder } = rule
    const freeSpace = yield* FreeSpace
    const total = makeArchiveTotal(folder, rule.totalBytes)
    const writing = Semaphore.makeUnsafe(1)
    let isLow = false

    /** Whether there is enough free space after `bytes` more. True if it cannot be read: then writing fails if the disk is full. */
    const hasSpaceFor = Effect.fnUntraced(function* (bytes: number) {
      const free = yield* Effect.orElseSucceed(
        Effect.tryPromise(() => freeSpace(folder)),
        () => null
      )
      if (free === null) return true
      const wasLow = isLow
      isLow = free < LEAST_FREE_BYTES
      yield* noteFreeSpace(free, isLow)
      if (isLow && !wasLow)
        yield* Effect.logWarning(
          `New archives are not stored: ${megabytes(free)} MB are free in ${folder}, and ${megabytes(LEAST_FREE_BYTES)} MB are needed. Audits continue.`
        )
      if (!isLow && wasLow) yield* Effect.logInfo("Archives are stored again: there is enough free space.")
      return free - bytes >= LEAST_FREE_BYTES
    })

    const keep = Effect.fnUntraced(function* (run: ArchivedAttempt, content: ArchiveContent, proof: Proof) {
      const now = yield* Clock.currentTimeMillis
      const bytes = yield* attempt(() => lengthOf(content))
      const wrong: NotKept | null = (yield* hasSpaceFor(bytes))
        ? yield* attempt((signal) => put({ rule, mostOfDomain, total, run, proof, content, bytes, now, signal }))
        : "low_space"
      yield* noteArchiveBytes(total.bytes())
      if (!(content instanceof Uint8Array)) yield* attempt(() => rm(content.path, { force: true }))
      if (wrong === null) return
      yield* countNotKept(wrong)
      yield* Effect.logWarning(`archive of run ${run.id} not kept: ${NOT_KEPT[wrong]}`)
    })

    const tidy = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* writing.withPermit(attempt(() => total.refresh(now)))
      yield* noteArchiveBytes(total.bytes())
      // Not serialised with writes, because it takes a while if there are many sites.
      yield* attempt(() => sweepAll(rule, total, now))
      yield* noteArchiveBytes(total.bytes())
    })
    yield* announceArchiveMetrics
    // If the folder cannot be created, writing fails with the reason.
    yield* Effect.ignore(attempt(() => makeFolder(folder)))
    yield* hasSpaceFor(0)
    yield* Effect.forkScoped(Effect.forever(Effect.delay(hasSpaceFor(0), WATCH_INTERVAL)))
    // A write sweeps only its own site; this deletes old archives of sites without new runs.
    yield* Effect.forkScoped(Effect.repeat(Effect.ignore(tidy), Schedule.spaced("1 day")))

    return {
      isLow: Effect.sync(() => isLow),
      put: (run, content, proof) =>
        Effect.tapError(writing.withPermit(keep(run, content, proof)), () => countNotKept("write_failed")),
      read: (id) => openLatest(folder, id),
      has: (id) => attempt(async () => isRunId(id) && (await archivesOf(folder, id.toLowerCase())).length > 0),
      remove: ({ id, site }) =>
        writing.withPermit(attempt(() => remove(folder, total, { id, site, attempt: Number.POSITIVE_INFINITY }))),
      ids: attempt(async () => [
        ...new Set(
          (await Array.fromAsync(archiveNames(folder))).flat().flatMap((name) => parseArchiveName(name)?.id ?? [])
        )
      ]),
      proof: ({ attempt: number, id, site }) => attempt(() => proofOf(folder, site, archiveName(id, number))),
      removeAttempt: (run) => writing.withPermit(attempt(() => remove(folder, total, run)))
    }
  })

const NOT_KEPT: Readonly<Record<NotKept, string>> = {
  low_space: "there is not enough free space",
  too_large: "it exceeds the maximum size of an archive",
  too_old: "all stored archives are newer, and there is no room for more"
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024)

const attempt = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise({ try: run, catch: (cause) => new StoreUnavailable({ cause }) })

const lengthOf = async (content: ArchiveContent): Promise<number> => {
  if (content instanceof Uint8Array) return content.length
  const size = await sizeOf(content.path)
  if (size === null) throw new Error("there is no such file")
  return size
}

const PROOFS = ["report", "failure"] as const satisfies ReadonlyArray<Proof>

interface Put {
  readonly rule: ArchiveRule
  readonly mostOfDomain: number
  readonly total: ArchiveTotal
  readonly run: ArchivedAttempt
  readonly proof: Proof
  readonly content: ArchiveContent
  readonly bytes: number
  readonly now: number
  readonly signal: AbortSignal
}

const put = async ({
  bytes,
  content,
  mostOfDomain,
  now,
  proof,
  rule,
  run,
  signal,
  total
}: Put): Promise<NotKept | null> => {
  const { folder } = rule
  const id = storedId(run.id)
  if (id === null) throw new Error("a run's id is a UUID")
  if (await isReplaced(folder, run)) return null
  if (bytes > Math.min(MOST_ARCHIVE_BYTES, rule.totalBytes)) return "too_large"
  const name = archiveName(id, run.attempt)
  const [path, site, domain] = [archivePath(folder, name), siteKey(run.site, proof), domainOf(run.site)]
  const part = await writePart(folder, content)
  let unneeded = 0
  try {
    if (!(await total.reserve(name, bytes, now))) return "too_old"
    unneeded = bytes
    // The markers first: an archive without them would be subject to no rule except the total.
    await writeMark(siteMark(folder, site, name), "")
    await writeMark(domainMark(folder, domain, name), proof)
    await makeFolder(dirname(path))
    const replaced = (await sizeOf(path)) ?? 0
    // Writing may take longer than the claim of the run lasts.
    signal.throwIfAborted()
    await rename(part, path)
    unneeded = replaced
  } finally {
    await rm(part, { force: true })
    await total.release(unneeded)
  }
  // Another attempt may have written its archive meanwhile. The latest is read in any case, so it does not matter when the others go.
  await remove(folder, total, { ...run, attempt: (await isReplaced(folder, run)) ? run.attempt : run.attempt - 1 })
  for (const dropped of await sweepSite(rule, total, site, now))
    await rm(domainMark(folder, domain, dropped), { force: true })
  await sweepDomain(rule, total, domain, mostOfDomain)
  return null
}

/** Whether a later attempt at the run has stored an archive, or is about to. */
const isReplaced = async (folder: string, { attempt, id, site }: ArchivedAttempt): Promise<boolean> => {
  const [latest] = await markedAttempts(folder, id.toLowerCase(), site)
  return latest !== undefined && latest.attempt > attempt
}

const markedAttempts = async (folder: string, id: string, site: string) =>
  attemptsOf(await namesIn(domainMarks(folder, domainOf(site))), id)

const proofOf = async (folder: string, site: string, name: string): Promise<Proof> => {
  const text = await readFile(domainMark(folder, domainOf(site), name), "utf8").catch((error: unknown) => {
    if (isFileMissing(error)) return ""
    throw error
  })
  return text === "failure" ? "failure" : "report"
}

/** Deletes the archives of an attempt and of earlier ones, with their markers. */
const remove = async (
  folder: string,
  total: ArchiveTotal,
  { attempt, id: givenId, site }: ArchivedAttempt
): Promise<void> => {
  const id = storedId(givenId)
  if (id === null) return
  const names = new Set(
    [...(await archivesOf(folder, id)), ...(await markedAttempts(folder, id, site))]
      .filter((each) => each.attempt <= attempt)
      .map(({ name }) => name)
  )
  for (const name of names) {
    await total.drop(name)
    for (const proof of PROOFS) await rm(siteMark(folder, siteKey(site, proof), name), { force: true })
    await rm(domainMark(folder, domainOf(site), name), { force: true })
  }
}

const openLatest = Effect.fnUntraced(function* (folder: string, givenId: string) {
  const id = storedId(givenId)
  if (id === null) return null
  const opened = yield* openArchiveFile(() => latestFile(folder, id))
  if (opened === null) return null
  const { handle, of } = opened
  const { size } = yield* attempt(() => handle.stat())
  const archive: FolderArchive = {
    size,
    attempt: of.attempt,
    content: fileContent(handle)
  }
  return archive
})

const latestFile = async (
  folder: string,
  id: string
): Promise<{ readonly of: NamedArchive; readonly handle: FileHandle } | null> => {
  const [of] = await archivesOf(folder, id)
  if (of === undefined) return null
  try {
    return { of, handle: await open(archivePath(folder, of.name), "r") }
  } catch (error) {
    // Deleted meanwhile, perhaps because a later one has replaced it.
    if (isFileMissing(error)) return await latestFile(folder, id)
    throw error
  }
}
