import { readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import {
  archivePath,
  domainMark,
  domainMarks,
  DOMAINS,
  namesIn,
  parseArchiveName,
  partPaths,
  siteMark,
  SITES,
  sizeOf
} from "./ArchiveFolder.ts"
import type { ArchiveRule } from "./ArchiveRule.ts"
import type { ArchiveTotal } from "./ArchiveTotal.ts"

/** Maximum number per registrable domain, so that many sites below one name cannot fill the folder. */
export const MOST_OF_DOMAIN = 20

const DAY = 24 * 60 * 60 * 1_000

/** Deletes a site's archives that exceed the rule, and returns their names. */
export const sweepSite = async (
  rule: ArchiveRule,
  total: ArchiveTotal,
  key: string,
  now: number
): Promise<ReadonlyArray<string>> => {
  const { folder, keep } = rule
  const names = (await archivesIn(join(folder, SITES, key))).toReversed()
  const dropped = names.filter((name, index) => (keep !== null && index >= keep) || isTooOld(rule, name, now))
  for (const name of dropped) {
    await total.drop(name)
    await rm(siteMark(folder, key, name), { force: true })
  }
  return dropped
}

/** Whether a run, by its id or the name of an archive, is older than the rule allows. */
export const isTooOld = ({ days }: ArchiveRule, id: string, now: number): boolean =>
  days !== null && timeOf(id) < now - days * DAY

/** The milliseconds since the epoch that a UUIDv7 begins with. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Deletes archives of a domain beyond `most`: those of failures first, and the oldest first. */
export const sweepDomain = async (
  { folder }: ArchiveRule,
  total: ArchiveTotal,
  domain: string,
  most: number
): Promise<void> => {
  const kept: Array<{ readonly name: string; readonly isReport: boolean }> = []
  for (const name of await archivesIn(domainMarks(folder, domain))) {
    if ((await sizeOf(archivePath(folder, name))) === null) continue
    const proof = await readFile(domainMark(folder, domain, name), "utf8").catch(() => "report")
    kept.push({ name, isReport: proof === "report" })
  }
  const inOrder = kept.toSorted((one, other) => Number(one.isReport) - Number(other.isReport))
  for (const { name } of inOrder.slice(0, Math.max(0, kept.length - most))) {
    await total.drop(name)
    await rm(domainMark(folder, domain, name), { force: true })
  }
}

/** Deletes what is too old, and leftovers: markers without an archive, and temporary files of a process that died while writing. */
export const sweepAll = async (rule: ArchiveRule, total: ArchiveTotal, now: number): Promise<void> => {
  const { folder } = rule
  for (const key of await namesIn(join(folder, SITES))) await sweepSite(rule, total, key, now)
  for (const kind of [SITES, DOMAINS]) {
    for (const key of await namesIn(join(folder, kind))) {
      for (const name of await archivesIn(join(folder, kind, key))) {
        if ((await sizeOf(archivePath(folder, name))) === null) await dropOld(join(folder, kind, key, name), now)
      }
    }
  }
  for (const path of await partPaths(folder)) await dropOld(path, now)
}

/** A more recent file may belong to an archive that is being written. */
const dropOld = async (path: string, now: number): Promise<void> => {
  const written = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => now
  )
  if (written < now - DAY) await rm(path, { force: true })
}

/** The names of archives in a folder of markers, oldest first. */
const archivesIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await namesIn(folder)).filter((name) => parseArchiveName(name) !== null).sort()
