import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { isAvailable } from "../../harness/Availability.ts"
import {
  commitOf,
  commitsBeforeMigrationIn,
  isUnchangedSince,
  makeFirstBuilt,
  makeNextVersion,
  makeOtherVersion,
  type OtherVersion,
  sharesDatabase
} from "./OtherVersion.ts"
import { hasPostgres, makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { ServiceProcess } from "../../harness/ServiceProcess.ts"
import { readAccounts, repetitionFaults } from "./Accounts.ts"
import { logFault } from "../Faults.ts"
import { expectWhole, Siege } from "../Siege.ts"
import { overlapsOf, serveWatchedSites } from "./WatchedSites.ts"

/** How long each mixture of versions runs at least, and how long a worker that has just started may take for its first audit. */
const ALONE_MS = 10_000
const TOGETHER_MS = 120_000

const ROLES = ["web", "web", "worker", "worker"]

/** The first process of each role is replaced, then both versions run, then the second is. */
const [FIRST, SECOND] = [
  [0, 2],
  [1, 3]
] as const

const auditsOf = ({ log }: ServiceProcess): number =>
  log.filter(({ message }) => message?.startsWith("audit done") === true).length

/** The versions of a deploy. */
interface Versions {
  readonly before: string
  readonly after: string
  /** Whether both take runs from the same queue: otherwise those of the first only end what they have, once one of the second has started. */
  readonly shareQueue: boolean
}

/** Replaces all processes of a version by those of another one, one by one, while clients use them. */
const expectDeploy = async (
  postgres: PostgresCluster,
  folder: string,
  { after, before, shareQueue }: Versions
): Promise<void> => {
  const sites = await serveWatchedSites({ delayMs: 50 })
  const programs = ROLES.map(() => before)
  const siege = await Siege.lay({
    services: ROLES.map((role, index) => ({
      database: postgres.url,
      env: { DOCGAUGE_ROLE: role, DOCGAUGE_TARGET_WINDOW: "24h", DOCGAUGE_ARCHIVES: join(folder, `archives-${index}`) },
      each: sites.env,
      program: () => programs[index] ?? after
    })),
    asked: 2,
    seed: 23,
    clients: 4,
    // Enough that none is asked for under the rubrics of both.
    sites: 1_000_000,
    mostWaiting: 24
  })
  const replace = async (indices: ReadonlyArray<number>): Promise<void> => {
    for (const index of indices) {
      programs[index] = after
      logFault(`process ${index} is replaced`)
      await siege.deploy(index)
    }
  }
  try {
    await pause(ALONE_MS)
    await replace(FIRST)
    const workers = (shareQueue ? [2, 3] : [2]).map((index) => siege.service(index))
    const earlier = workers.map(auditsOf)
    // Neither version waits for the other one to go.
    await expect
      .poll(() => workers.every((worker, index) => auditsOf(worker) > (earlier[index] ?? 0)), { timeout: TOGETHER_MS })
      .toBe(true)
    logFault(`${shareQueue ? "both versions have" : "the second version has"} audited`)
    await pause(ALONE_MS)
    await replace(SECOND)
    await pause(ALONE_MS)
    await siege.settle()
    // This version's code reads the database now, and would refuse that of the next one.
    await postgres.execute("DELETE FROM docgauge_versions WHERE name = 'next'")
    await expectWhole(postgres.url, siege.crowd, { done: 10 })
    expect(repetitionFaults(await readAccounts(postgres), 0)).toEqual([])
    expect(sites.hosts().flatMap((host) => overlapsOf(sites.requestsTo(host)))).toEqual([])
    logFault(
      `${siege.crowd.told.size} runs are over; audits of each process: ${siege.started.map(auditsOf).join(", ")}`
    )
  } finally {
    await siege.raise()
    await sites.close()
  }
}

const HEAD = commitOf("HEAD")
const BEFORE_HEAD = commitOf("HEAD~1")
const PREVIOUS = BEFORE_HEAD !== null && sharesDatabase(BEFORE_HEAD) ? BEFORE_HEAD : null
const MIGRATIONS = "engine/store/database/Migrations.ts"
const BEFORE_MIGRATION = commitsBeforeMigrationIn(MIGRATIONS).filter(sharesDatabase)

/** How another version is made; `null` where the history of git does not have it. */
interface Deploy {
  readonly name: string
  readonly other: (() => OtherVersion) | null
  /** From this version to the other one. */
  readonly isFromThis: boolean
}

const makePrevious = PREVIOUS === null ? null : () => makeOtherVersion(PREVIOUS)

/** A version that has fewer migrations does not start on the database of this one, so it can only be the one that is replaced. */
const DEPLOYS: ReadonlyArray<Deploy> = [
  { name: "from the previous commit to this one", other: makePrevious, isFromThis: false },
  {
    name: "from this commit back to the previous one, which has the same migrations,",
    other: PREVIOUS !== null && isUnchangedSince(PREVIOUS, MIGRATIONS) ? makePrevious : null,
    isFromThis: true
  },
  {
    name: "from a commit before the last migration to this one",
    other: BEFORE_MIGRATION.length === 0 ? null : () => makeFirstBuilt(BEFORE_MIGRATION),
    isFromThis: false
  },
  {
    name: "from this commit to one with another migration",
    other: HEAD === null ? null : () => makeNextVersion(MIGRATIONS),
    isFromThis: true
  }
]

/** Makes the other version and a database for it. */
const withOther = async (
  make: (() => OtherVersion) | null,
  use: (other: OtherVersion, postgres: PostgresCluster, folder: string) => Promise<void>
): Promise<void> => {
  if (make === null) return
  const other = make()
  try {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-deploy-"))
    const postgres = await makePostgres()
    try {
      await use(other, postgres, folder)
    } finally {
      await postgres.remove()
      rmSync(folder, { recursive: true })
    }
  } finally {
    other.remove()
  }
}

/** Starts a program on a database until it listens; what it says where it does not. */
const startOn = async (program: string, database: string, folder: string): Promise<string> => {
  const service = new ServiceProcess({ program, env: { DOCGAUGE_DATABASE_URL: database, DOCGAUGE_ARCHIVES: folder } })
  try {
    await service.url
    return "listens"
  } catch {
    return service.lines.join("\n")
  } finally {
    await service.kill()
  }
}

describe.skipIf(!hasPostgres)("a rolling deploy", () => {
  for (const { isFromThis, name, other } of DEPLOYS) {
    it.skipIf(!isAvailable(`a version in the history of git to deploy ${name}`, other !== null))(
      `${name} ends each run once, while processes of both work on one database`,
      () =>
        withOther(other, ({ program, sharesQueue }, postgres, folder) => {
          const [before, after] = isFromThis ? [PROGRAM, program] : [program, PROGRAM]
          return expectDeploy(postgres, folder, { before, after, shareQueue: sharesQueue })
        })
    )
  }
})

describe.skipIf(!hasPostgres)("a version", () => {
  it.skipIf(!isAvailable("the history of git", HEAD !== null))(
    "does not start on a database that one with another migration has changed, says which schema it needs, and leaves the database to it",
    () =>
      withOther(
        () => makeNextVersion(MIGRATIONS),
        async ({ program: next }, { url }, folder) => {
          expect(await startOn(PROGRAM, url, folder)).toBe("listens")
          expect(await startOn(next, url, folder)).toBe("listens")
          expect(await startOn(PROGRAM, url, folder)).toMatch(
            /a newer version of docgauge has changed it: its schema is \d+ \(next\).* Start a version that knows schema \d+/u
          )
          expect(await startOn(next, url, folder)).toBe("listens")
        }
      )
  )
})
