import { spawn } from "node:child_process"
import { resolve } from "node:path"
import process from "node:process"
import { expect, it } from "vitest"

const CLI = resolve(import.meta.dirname, "../../../cli/main.ts")

it("docgauge --wizard reads keys and offers to audit first", async () => {
  const child = spawn(process.execPath, [CLI, "--wizard"], { stdio: ["pipe", "pipe", "ignore"] })
  let output = ""
  const closed = new Promise<void>((done) => {
    child.on("close", () => done())
  })
  const printed = (text: string) => expect.poll(() => output, { timeout: 50_000 }).toContain(text)
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString("utf8")
  })
  await printed("audit - Audit a site")
  child.stdin.write("\r")
  await printed("(--format)")
  child.stdin.end()
  await closed
  expect(output).toContain("Wizard cancelled.")
}, 120_000)
