import { execFile } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { isAvailable } from "./Availability.ts"
import { freePort } from "./port/FreePort.ts"

/** A PostgreSQL server of a test's own. */
export interface PostgresCluster {
  /** The address of its one database, as `DOCGAUGE_DATABASE_URL` takes it. */
  readonly url: string
  readonly port: number
  /** Stops it, as asked (`fast`) or as the power does (`immediate`), and starts it again. */
  readonly restart: (mode: "fast" | "immediate") => Promise<void>
  readonly stop: (mode: "fast" | "immediate") => Promise<void>
  readonly start: () => Promise<void>
  /** Runs a statement in the database, even where the database is set to be read only. */
  readonly execute: (sql: string) => Promise<string>
  readonly remove: () => Promise<void>
}

const DEBIAN = "/usr/lib/postgresql"

/** The folder of `initdb` and `pg_ctl`: on the path, or where Debian keeps the newest; `null` where there are none. */
const BINARIES: string | null = (() => {
  const newest = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .sort((one, other) => Number(other) - Number(one))
        .map((version) => join(DEBIAN, version, "bin"))
    : []
  const folders = [...newest, ...(process.env["PATH"] ?? "").split(delimiter)]
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl"))) ?? null
})()

const run = promisify(execFile)

const WRITING = { ...process.env, PGOPTIONS: "-c default_transaction_read_only=off" }

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0

const idOf = async (flag: "-u" | "-g"): Promise<number> => Number((await run("id", [flag, "postgres"])).stdout)

/** Whether a cluster can be made here: as root that takes a user `postgres`. */
export const hasPostgres: boolean = isAvailable(
  "PostgreSQL (initdb and pg_ctl)",
  BINARIES !== null &&
    (!isRoot ||
      (await idOf("-u").then(
        () => true,
        () => false
      )))
)

/** Shared memory in files of the cluster's own: names of system-wide segments have met those of another cluster. */
const APART = { dynamic_shared_memory_type: "mmap" }

/** Makes a cluster in a temporary folder, on a free loopback port, and starts it; `settings` are such as `max_connections`. */
export const makePostgres = async (settings: Readonly<Record<string, string>> = {}): Promise<PostgresCluster> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-postgres-"))
  const [uid, gid] = isRoot ? [await idOf("-u"), await idOf("-g")] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  if (isRoot) chownSync(folder, uid, gid)
  const command = async (name: string, args: ReadonlyArray<string>): Promise<string> =>
    (await run(join(BINARIES ?? "", name), args, { cwd: folder, env: WRITING, ...(isRoot ? { uid, gid } : {}) })).stdout
  const data = join(folder, "data")
  let port = 0
  const control = (action: ReadonlyArray<string>) =>
    command("pg_ctl", ["-D", data, "-s", "-w", "-l", join(folder, "log"), ...action])
  const stop = async (mode: "fast" | "immediate"): Promise<void> => {
    await control(["-m", mode, "stop"])
  }
  const start = async (): Promise<void> => {
    await control([
      "-o",
      [
        `-h 127.0.0.1 -p ${port} -k ${folder}`,
        ...Object.entries({ ...APART, ...settings }).map(([name, value]) => `-c ${name}=${value}`)
      ].join(" "),
      "start"
    ])
  }
  const execute = (sql: string) =>
    command("psql", [
      "-h",
      "127.0.0.1",
      "-p",
      String(port),
      "-U",
      "postgres",
      "-d",
      "postgres",
      "-XqAt",
      "-v",
      "ON_ERROR_STOP=1",
      "-c",
      sql
    ])
  await command("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"])
  port = await freePort()
  // Another process may take the port before PostgreSQL does.
  await start().catch(async () => {
    port = await freePort()
    await start()
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    stop,
    start,
    restart: async (mode) => {
      await stop(mode)
      await start()
    },
    execute,
    remove: async () => {
      // It may have been stopped already.
      await stop("immediate").catch(() => undefined)
      rmSync(folder, { recursive: true })
    }
  }
}
