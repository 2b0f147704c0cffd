import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { expect, it } from "vitest"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"

/** A wizard, what it prints and its exit code; `preload` is run before it in each of its threads. */
const wizard = (
  args: ReadonlyArray<string>,
  { cwd = process.cwd(), preload = "" }: { readonly cwd?: string; readonly preload?: string } = {}
) => {
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(preload)}`, PROGRAM, ...args, "--wizard"],
    { cwd, stdio: ["pipe", "pipe", "ignore"] }
  )
  let output = ""
  const closed = new Promise<number | null>((done) => {
    child.on("close", done)
  })
  const printed = (text: string) => expect.poll(() => output, { timeout: 50_000 }).toContain(text)
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString("utf8")
  })
  return { child, closed, printed, output: () => output }
}

it("docgauge --wizard reads keys, offers to audit first, and ends with 130 if it is cancelled", async () => {
  const { child, closed, output, printed } = wizard([])
  await printed("audit - Audit a site")
  child.stdin.write("\r")
  await printed("(--as)")
  child.stdin.end()
  expect(await closed).toBe(130)
  expect(output()).toContain("Wizard cancelled.")
})

it("docgauge audit --wizard asks for each flag, and audits the folder that it was told", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "docgauge-wizard-"))
  mkdirSync(join(cwd, "build"))
  writeFileSync(
    join(cwd, "build/index.html"),
    '<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1></main></html>'
  )
  const { child, closed, output } = wizard(["audit"], { cwd })
  const values: ReadonlyArray<readonly [RegExp, string]> = [
    [/^Set (?:As \(|Base url)/, "y"],
    [/^As \(--as\)/, "https://docs.example.com\r"],
    [/^Base url/, "build\r"]
  ]
  const asked = new Set<string>()
  child.stdout.on("data", () => {
    for (const [, question = ""] of output().matchAll(/\? (.*?) › /g)) {
      if (asked.has(question)) continue
      asked.add(question)
      child.stdin.write(values.find(([asks]) => asks.test(question))?.[1] ?? "\r")
    }
  })
  expect(await closed).toBe(0)
  rmSync(cwd, { recursive: true })
  expect(output()).toContain("The command:\n  docgauge audit --as https://docs.example.com build\n")
  expect(output()).toMatch(/https:\/\/docs\.example\.com {2}\d{4}-\d\d-\d\d\n/)
})

it("docgauge SUBCOMMAND --wizard asks for the values of that command, and runs it", async () => {
  const { child, closed, output, printed } = wizard(["rubric", "schema"])
  await printed("docgauge rubric schema")
  await printed("Run this command?")
  child.stdin.write("\r")
  expect(await closed).toBe(0)
  expect(output()).toContain('"$schema"')
})

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143]
] as const)("ends after %s while the command that the wizard put together is stuck, with %i", async (signal, code) => {
  const preload = `
    import { threadId } from "node:worker_threads"
    import { writeSync } from "node:fs"
    if (threadId === 1) {
      writeSync(1, "stuck")
      for (;;) Math.sqrt(2)
    }`
  const { child, closed, printed } = wizard(["rubric", "schema"], { preload })
  await printed("Run this command?")
  child.stdin.write("\r")
  await printed("stuck")
  child.kill(signal)
  expect(await closed).toBe(code)
})
