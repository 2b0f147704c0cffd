import { describe, expect, it } from "vitest"
import { type NastySite, nastySites } from "../audit/NastySites.ts"
import { measuredRun } from "../cli/MeasuredRun.ts"
import { httpServer } from "../evidence/LoopbackServers.ts"

/** Gathering, and what is left to parse when it ends. */
const LONGEST_MS = 120_000

const MOST_MEGABYTES = 400

/** A description of up to 20 MB is read, as large ones are. */
const WITH_DESCRIPTION_MEGABYTES = 700

const run = async (name: NastySite) => {
  const server = await httpServer(nastySites[name])
  try {
    return await measuredRun([`http://127.0.0.1:${server.port}`, "--allow-http", "--allow-private", "--format", "json"])
  } finally {
    await server.close()
  }
}

const NO_REPORT: ReadonlySet<string> = new Set<NastySite>([
  "forbidden",
  "unauthorized",
  "gone",
  "challenge 403",
  "challenge 200",
  "error 500",
  "error 503",
  "pdf",
  "binary",
  "elsewhere by HTTP",
  "elsewhere by meta refresh",
  "elsewhere by script",
  "loop",
  "endless redirects",
  "hang",
  "first page hangs",
  "drip",
  "drips headers",
  "truncated",
  "reset",
  "not HTTP",
  "header flood",
  "shut out"
])

/** Those that audits wait for rather than work on. */
const WAITED_FOR: ReadonlySet<string> = new Set<NastySite>([
  "hang",
  "first page hangs",
  "all but the first page hangs",
  "drip",
  "drips headers",
  "all but the first page drips",
  "truncated",
  "all but the first page truncated",
  "reset",
  "not HTTP",
  "too many requests"
])

const expectWithinLimits = async (name: NastySite): Promise<void> => {
  const { code, milliseconds, peakMegabytes, stderr, stdout } = await run(name)
  console.log(
    `${name.padEnd(36)} exit ${code}  ${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${String(peakMegabytes).padStart(4)} MB`
  )
  expect(code).toBe(NO_REPORT.has(name) ? 3 : 0)
  expect(milliseconds).toBeLessThan(LONGEST_MS)
  expect(peakMegabytes).toBeLessThan(/huge|deep/.test(name) ? WITH_DESCRIPTION_MEGABYTES : MOST_MEGABYTES)
  if (code === 0) expect(JSON.parse(stdout)).toMatchObject({ total_score: expect.any(Number) })
  else expect([stdout, stderr.trimEnd().split("\n").length]).toEqual(["", 2])
}

const NAMES = Object.keys(nastySites) as ReadonlyArray<NastySite>

describe("with the limits that everybody has", () => {
  it.each(NAMES.filter((name) => !WAITED_FOR.has(name)))("%s", (name) => expectWithinLimits(name))
})

describe("with the limits that everybody has, side by side", { concurrent: true }, () => {
  it.each(NAMES.filter((name) => WAITED_FOR.has(name)))("%s", (name) => expectWithinLimits(name))
})
