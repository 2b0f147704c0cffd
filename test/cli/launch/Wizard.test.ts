import { spawn } from "node:child_process"
import process from "node:process"
import { expect, it } from "vitest"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"

/** A wizard, what it prints and its exit code. */
const wizard = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [PROGRAM, ...args, "--wizard"], { stdio: ["pipe", "pipe", "ignore"] })
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
  const { child, closed, output, printed } = wizard()
  await printed("audit - Audit a site")
  child.stdin.write("\r")
  await printed("(--format)")
  child.stdin.end()
  expect(await closed).toBe(130)
  expect(output()).toContain("Wizard cancelled.")
}, 120_000)

it("docgauge SUBCOMMAND --wizard asks for the values of that command, and runs it", async () => {
  const { child, closed, output, printed } = wizard("rubric", "schema")
  await printed("docgauge rubric schema")
  await printed("Run this command?")
  child.stdin.write("\r")
  expect(await closed).toBe(0)
  expect(output()).toContain('"$schema"')
}, 120_000)
