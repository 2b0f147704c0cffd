import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { madeLog, madeRequests } from "../../logs/MadeLog.ts"
import { measuredRun } from "../MeasuredRun.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-logs-process-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts `docgauge logs` with a pipe as its standard input. */
const started = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [PROGRAM, "logs", ...args], { stdio: ["pipe", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = once(child, "close").then(([code]: ReadonlyArray<unknown>) => ({ code, stdout, stderr }))
  return { child, ended }
}

const requestsOf = (stdout: string): number => {
  const summary: { readonly requests: { readonly all: number } } = JSON.parse(stdout)
  return summary.requests.all
}

describe("the program that reads logs", () => {
  it("reads a pipe that is slower than it, packed or not", async () => {
    const text = madeLog("combined", madeRequests(1_000, 4))
    for (const bytes of [Buffer.from(text), gzipSync(text)]) {
      const { child, ended } = started("-", "--format", "json")
      const half = Math.floor(bytes.length / 2)
      child.stdin.write(bytes.subarray(0, half))
      // By then it has found the pipe empty more than once.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      child.stdin.end(bytes.subarray(half))
      const { code, stderr, stdout } = await ended
      expect([code, stderr, requestsOf(stdout)]).toEqual([0, "", 1_000])
    }
  })

  it("ends with 130 on Ctrl-C while it waits for more of a pipe", async () => {
    const { child, ended } = started("-")
    child.stdin.write(madeLog("combined", madeRequests(10, 4)))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    child.kill("SIGINT")
    expect(await ended).toEqual({ code: 130, stdout: "", stderr: "" })
  })

  it("keeps little of a log, however long it is and however many paths it has", async () => {
    const file = join(folder, "long.log")
    writeFileSync(file, "")
    for (let seed = 1; seed <= 40; seed++)
      writeFileSync(file, madeLog("combined", madeRequests(20_000, seed, 200 * seed ** 2)), { flag: "a" })
    const { code, peakMegabytes, stdout } = await measuredRun(["logs", file, "--format", "json"])
    expect([code, requestsOf(stdout)]).toEqual([0, 800_000])
    // 180 MB, of which 140 are any command's; on a busy machine garbage is collected later (test/bench/logs/run.ts).
    expect(peakMegabytes).toBeLessThan(250)
  })
})
