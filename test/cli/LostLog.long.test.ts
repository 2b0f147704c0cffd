import { type ChildProcess, fork, spawn, type StdioOptions } from "node:child_process"
import { once } from "node:events"
import { openSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { afterAll, describe, expect, it } from "vitest"
import type { ParentMessage } from "../../engine/process/AuditTask.ts"
import { freePort } from "../harness/port/FreePort.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { LIMITLESS } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"
import { bombTask } from "../worker/BombTask.ts"

const ROOT = join(import.meta.dirname, "../..")

/** What becomes of output: the disk is full, or the reader of the pipe has gone. */
const LOST = [
  ["a full disk", openSync("/dev/full", "w")],
  ["a pipe without a reader", "pipe"]
] as const

/** A process whose output is lost from the beginning. */
const lost = (child: ChildProcess): ChildProcess => {
  child.stdout?.destroy()
  child.stderr?.destroy()
  return child
}

const sites = await serveSmallSites()
afterAll(sites.close)

// Both outlive their output by the same function, so `npm start`, which loads each of its modules from source, is tried once.
describe.each([
  ["npm start", [join(ROOT, "server/main.ts")], LOST.slice(0, 1)],
  ["docgauge serve", [PROGRAM, "serve"], LOST]
] as const)("%s", (_, args, lostTo) => {
  it.each(lostTo)("audits, answers and ends as ever when its log goes to %s", async (_, output) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const child = lost(
      spawn(process.execPath, args, {
        env: { ...process.env, ...LIMITLESS, ...sites.env, PORT: String(port), DOCGAUGE_DATABASE_URL: "memory:" },
        stdio: ["ignore", output, output]
      })
    )
    const exited = once(child, "exit")
    try {
      const health = () =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => child.exitCode
        )
      await expect.poll(health).not.toBeNull()
      expect(await health()).toBe(200)
      for (const name of ["one", "two"]) {
        // Logs that it was requested, and that it is done.
        const { status } = await fetch(`${url}/audit`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ base_url: smallSite(name) })
        })
        expect([status, await health()]).toEqual([200, 200])
      }
    } finally {
      child.kill("SIGTERM")
      expect(await exited).toEqual([0, null])
    }
  })
})

describe("an audit process", () => {
  it.each(LOST)("takes the next task when it has written to %s", async (_, output) => {
    const child = lost(fork(join(ROOT, "test/worker/BombProcess.ts"), { stdio: ["ignore", output, output, "ipc"] }))
    const exited = once(child, "exit")
    const ended = async (): Promise<unknown> => {
      const message: ParentMessage = { _tag: "Task", task: bombTask("chatter"), maySendUntil: null }
      const answer = new Promise((resolve) =>
        child.on("message", (told: { readonly _tag: string }) => {
          if (told._tag === "Ended") resolve("ended")
        })
      )
      child.send(message, () => undefined)
      return Promise.race([answer, exited])
    }
    try {
      expect([await ended(), await ended()]).toEqual(["ended", "ended"])
    } finally {
      child.kill("SIGKILL")
      await exited
    }
  })
})

describe("docgauge mcp", () => {
  it.each(LOST)("answers when its log goes to %s", async (_, output) => {
    const stdio: StdioOptions = ["pipe", "pipe", output]
    // It warns of a proxy before it serves.
    const child = spawn(process.execPath, [PROGRAM, "mcp"], {
      env: { ...process.env, HTTPS_PROXY: "http://127.0.0.1:1" },
      stdio
    })
    child.stderr?.destroy()
    const exited = once(child, "exit")
    child.stdin?.end(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } } })}\n`
    )
    expect(child.stdout === null ? "" : await text(child.stdout)).toContain("protocolVersion")
    expect(await exited).toEqual([0, null])
  })
})
