import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest"
import { cacheCompiledCode, serviceCacheFolders } from "../../engine/process/CompileCache.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"

const sites = await serveSmallSites()
afterAll(sites.close)

let folder: string
let data: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-cache-"))
  data = join(folder, "data")
  mkdirSync(join(folder, "tmp"))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** Compiled files in a cache. */
const cachedIn = (cache: string): number =>
  existsSync(cache) ? readdirSync(cache).flatMap((kind) => readdirSync(join(cache, kind))).length : 0

const start = (env: Readonly<Record<string, string>>, program?: string): ServiceProcess =>
  new ServiceProcess({
    program,
    env: {
      ...LIMITLESS,
      ...sites.env,
      DOCGAUGE_ARCHIVES: "off",
      TMPDIR: join(folder, "tmp"),
      HOME: folder,
      NODE_COMPILE_CACHE: "",
      ...env
    }
  })

/** Audits one site, and ends the service when its audit process has cached its code in `cache`. Nothing may be left where all users can write. */
const auditOnce = async (service: ServiceProcess, cache: string): Promise<void> => {
  try {
    const body = JSON.stringify({ base_url: smallSite("cached") })
    const { status } = await fetch(`${await service.url}/audit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body
    })
    expect(status).toBe(200)
    // The service itself writes only when it ends: these files are of the audit process and its threads.
    await expect.poll(() => cachedIn(cache)).toBeGreaterThan(0)
    const ofAudit = cachedIn(cache)
    expect((await service.end()).code).toBe(0)
    expect(cachedIn(cache)).toBeGreaterThan(ofAudit)
    expect(readdirSync(join(folder, "tmp"))).toEqual([])
  } finally {
    await service.kill()
  }
}

it.each([
  ["npm start", undefined],
  ["docgauge serve", PROGRAM]
])("%s, its audit processes and their threads cache code beside the database", async (_, program) => {
  await auditOnce(
    start({ DOCGAUGE_DATABASE_URL: `file:${join(data, "runs.db")}` }, program),
    join(data, "compile-cache")
  )
  expect([data, join(data, "compile-cache")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
  expect(existsSync(join(folder, ".cache"))).toBe(false)
})

/** Where a service with this database would cache code, decided in this process, whose own cache stays where it is. */
const chosen = (databaseUrl: string, told = ""): string | undefined => {
  const env = { NODE_COMPILE_CACHE: told, NODE_DISABLE_COMPILE_CACHE: "", XDG_CACHE_HOME: "", HOME: folder }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  cacheCompiledCode(serviceCacheFolders(databaseUrl))
  return process.env["NODE_COMPILE_CACHE"]
}

it("a service whose data folder others can write to caches code in the folder of its user", () => {
  mkdirSync(data)
  chmodSync(data, 0o777)
  expect(chosen(`file:${join(data, "runs.db")}`)).toBe(join(folder, ".cache/docgauge"))
  expect(existsSync(join(data, "compile-cache"))).toBe(false)
})

it("a service without a data folder caches code in the folder of its user", () => {
  expect(chosen("memory:")).toBe(join(folder, ".cache/docgauge"))
  expect(existsSync(data)).toBe(false)
})

it("a service caches code where NODE_COMPILE_CACHE says", () => {
  const told = join(folder, "told")
  expect(chosen(`file:${join(data, "runs.db")}`, told)).toBe(told)
  expect([join(data, "compile-cache"), join(folder, ".cache")].filter((path) => existsSync(path))).toEqual([])
})
