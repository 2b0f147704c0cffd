import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { httpServer } from "../evidence/LoopbackServers.ts"
import { serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { measuredRun } from "./MeasuredRun.ts"
import { runHere } from "./RunHere.ts"

/** It has a file for each module. */
const SOURCE = resolve(import.meta.dirname, "../../cli/main.ts")

/** A stuck program never ends by itself: it is killed then, and has another exit code. A loaded machine needs a generous bound. */
const NEVER_MS = 90_000

/** What a thread can be stuck in. The last two are inside native code, where ending the thread alone does not help at once. */
const STUCK = {
  "a catastrophic regular expression": `/^(a+)+$/.test("a".repeat(60) + "b")`,
  "an endless loop": "for (;;) Math.sqrt(2)",
  "a wait that nothing ends": "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
  "a synchronous call of a native library": `process.getBuiltinModule("node:crypto").pbkdf2Sync("a", "b", 2e9, 64, "sha512")`
} as const

/** Does it on the thread that opens the first connection, which is the thread that audits, a while after that, and says so before. */
const onFirstConnection = (code: string, afterMs = 20): string => `
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { writeSync } from "node:fs"
const begin = () => {
  unsubscribe("net.client.socket", begin)
  setTimeout(() => {
    writeSync(2, "stuck");
    ${code}
  }, ${afterMs})
}
subscribe("net.client.socket", begin)`

/** Does it in the thread of the command, a while after its start. */
const inCommandThread = (code: string): string => `
import { threadId } from "node:worker_threads"
import { writeSync } from "node:fs"
if (threadId === 1) setTimeout(() => {
  writeSync(2, "stuck");
  ${code}
}, 200)`

/** Gives the thread of a command a sixteenth of its memory, because to fill all of it takes a quarter of a minute of processor time. */
const WITH_LITTLE_MEMORY = `
import { syncBuiltinESMExports } from "node:module"
import threads from "node:worker_threads"
const { Worker } = threads
threads.Worker = class extends Worker {
  constructor(entry, { resourceLimits: { maxOldGenerationSizeMb, ...limits }, ...options }) {
    super(entry, { ...options, resourceLimits: { ...limits, maxOldGenerationSizeMb: maxOldGenerationSizeMb / 16 } })
  }
}
syncBuiltinESMExports()`

let folder: string
let archive: string
let url: string
const scope = Scope.makeUnsafe()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-supervisor-"))
  archive = join(folder, "orders.warc.gz")
  const server = await Effect.runPromise(Scope.provide(serveFakeSite({ "/": PAGE }), scope))
  url = server.origin
  expect((await runHere([...audit(), "--record", archive])).code).toBe(0)
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true })
})

const PAGE = `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}</main></html>`

const audit = (): ReadonlyArray<string> => [url, "--allow-http", "--allow-private", "--format", "json"]

/** In the other two, a command ends after Ctrl-C while it rescores, and while it shows its progress. */
const KINDS = ["a wait that nothing ends", "a synchronous call of a native library"] as const

/** Ending the thread alone does not help against it, and it takes no processor time until the end of the --timeout. */
const WAIT = STUCK["a wait that nothing ends"]

describe("a command that is stuck", () => {
  it.each(KINDS)("in %s ends after Ctrl-C, with 130", async (kind) => {
    const run = await measuredRun(audit(), {
      preload: onFirstConnection(STUCK[kind]),
      signal: { name: "SIGINT", after: "stuck" },
      longestMs: NEVER_MS
    })
    expect([run.code, run.stdout, run.stderr]).toEqual([130, "", "stuck"])
  })

  it("ends after SIGTERM, with 143", async () => {
    const preload = onFirstConnection(STUCK["a catastrophic regular expression"])
    const run = await measuredRun(audit(), {
      preload,
      signal: { name: "SIGTERM", after: "stuck" },
      longestMs: NEVER_MS
    })
    expect([run.code, run.stdout, run.stderr]).toEqual([143, "", "stuck"])
  })

  it("ends after Ctrl-C while it rescores, too", async () => {
    const preload = inCommandThread(STUCK["a catastrophic regular expression"])
    const run = await measuredRun(["rescore", archive], {
      preload,
      signal: { name: "SIGINT", after: "stuck" },
      longestMs: NEVER_MS
    })
    expect([run.code, run.stderr]).toEqual([130, "stuck"])
  })

  // These three wait for the end of the timeout, without work.
  it.concurrent("is ended after --timeout, and stderr says why", async ({ expect }) => {
    const run = await measuredRun([...audit(), "--timeout", "10"], {
      preload: onFirstConnection(WAIT),
      longestMs: NEVER_MS
    })
    expect([run.code, run.stdout]).toEqual([3, ""])
    expect(run.stderr).toMatch(
      /^stuckdocgauge: the audit was stopped, because it was still running 3 s after its --timeout of 10 s[^\n]+\n$/
    )
  })

  it.concurrent("is ended after the --timeout of the last of several sites that began", async ({ expect }) => {
    const config = join(folder, "docgauge.yaml")
    writeFileSync(config, `sites:\n  - url: ${url}\n  - url: ${url.replace("127.0.0.1", "127.0.0.2")}\n`)
    const run = await measuredRun(["--config", config, "--allow-http", "--allow-private", "--timeout", "10"], {
      preload: onFirstConnection(WAIT),
      longestMs: NEVER_MS
    })
    expect([run.code, run.stdout]).toEqual([3, ""])
    expect(run.stderr).toMatch(
      /^stuckdocgauge: the audit was stopped, because it was still running 3 s after its --timeout of 10 s[^\n]+\n$/
    )
  })

  it.concurrent("is ended after --timeout though another of several sites was audited before, with an annotation about it", async ({
    expect
  }) => {
    const silent = await httpServer(() => undefined)
    mkdirSync(join(folder, "preview"))
    writeFileSync(
      join(folder, "preview/index.html"),
      '<!doctype html><html lang="en"><title>Orders</title><link rel="canonical" href="https://docs.example.com/"><main><h1>Orders</h1></main></html>'
    )
    writeFileSync(
      join(folder, "preview/sitemap.xml"),
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${["", "a", "b"].map((path) => `<url><loc>https://docs.example.com/${path}</loc></url>`).join("")}</urlset>`
    )
    const config = join(folder, "preview.yaml")
    writeFileSync(
      config,
      `sites:\n  - { url: https://preview.example, path: ./preview }\n  - url: http://127.0.0.1:${silent.port}\n`
    )
    // The folder opens no connection: its audit has these seconds to end, and the other one begins with them.
    const preload = onFirstConnection(WAIT, 4_000)
    const run = await measuredRun(
      ["--config", config, "--format", "github", "--allow-http", "--allow-private", "--timeout", "10"],
      { preload, longestMs: NEVER_MS }
    )
    await silent.close()
    expect([run.code, run.stderr]).toEqual([
      3,
      expect.stringMatching(
        /^stuckdocgauge: the audit was stopped, because it was still running 3 s after its --timeout of 10 s[^\n]+\n$/
      )
    ])
  })

  it("clears its progress line when it is stopped", async () => {
    const preload = `process.stderr.isTTY = true\n${onFirstConnection(STUCK["an endless loop"])}`
    const run = await measuredRun(audit(), { preload, signal: { name: "SIGINT", after: "stuck" }, longestMs: NEVER_MS })
    expect(run.code).toBe(130)
    expect(run.stderr.endsWith("\r\u001b[2K")).toBe(true)
  })
})

describe("the main thread", () => {
  it("loads neither Effect nor code of commands, so that it stays responsive", async () => {
    const preload = `
      import { registerHooks } from "node:module"
      import { isMainThread } from "node:worker_threads"
      if (isMainThread) registerHooks({ load: (url, context, next) => { process.stderr.write(url + "\\n"); return next(url, context) } })`
    const { stderr } = await measuredRun(["rubric", "schema"], { preload, program: SOURCE })
    const modules = stderr.split("\n").filter((url) => url.startsWith("file:"))
    expect(modules.some((url) => url.endsWith("/cli/Supervisor.ts"))).toBe(true)
    expect(modules.filter((url) => url.includes("/node_modules/"))).toEqual([])
    expect(modules.length).toBeLessThan(12)
  })
})

describe("a command that fails as a whole", () => {
  it("by filling its memory exits with 3 and one line, without V8's output", async () => {
    const run = await measuredRun(audit(), {
      preload: `${WITH_LITTLE_MEMORY}${onFirstConnection("const all = []; for (;;) all.push(new Array(100_000).fill(0.5))")}`,
      longestMs: NEVER_MS
    })
    expect([run.code, run.stdout]).toEqual([3, ""])
    expect(run.stderr).toMatch(/^stuckdocgauge: stopped, because it needed more than \d+ MB of memory[^\n]+\n$/)
  })

  it("by an uncaught error exits with 70 and one line", async () => {
    const run = await measuredRun(audit(), {
      preload: onFirstConnection(`throw new Error("unforeseen")`),
      longestMs: NEVER_MS
    })
    expect([run.code, run.stdout]).toEqual([70, ""])
    expect(run.stderr).toMatch(/^stuckdocgauge: internal error: Error: unforeseen[^\n]+\n$/)
  })
})

describe("the output of a command", () => {
  it("is complete even if its reader is slow and the command fails", async () => {
    const before = `import { threadId } from "node:worker_threads"; if (threadId === 1) process.stdout.write("#".repeat(2_000_000))`
    const args = [
      "--import",
      `data:text/javascript,${encodeURIComponent(before)}`,
      PROGRAM,
      "--replay",
      archive,
      "--format",
      "json",
      "--min-score",
      "100"
    ]
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] })
    const closed = once(child, "close")
    const pieces: Array<Buffer> = []
    for await (const piece of child.stdout) {
      if (piece instanceof Buffer) pieces.push(piece)
      await pause(20)
    }
    const [code]: ReadonlyArray<unknown> = await closed
    expect(code).toBe(1)
    const text = Buffer.concat(pieces).toString()
    expect(text.startsWith(`${"#".repeat(2_000_000)}{`)).toBe(true)
    expect(JSON.parse(text.slice(2_000_000))).toHaveProperty("criteria")
  })

  it("can be longer than its reader wants", async () => {
    const child = spawn(process.execPath, [PROGRAM, "rubric", "show"], { stdio: ["ignore", "pipe", "pipe"] })
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.stdout.once("data", () => child.stdout.destroy())
    const [code]: ReadonlyArray<unknown> = await once(child, "close")
    expect([code, stderr]).toEqual([0, ""])
  })

  it("has the colours and the width of the terminal that only the main thread has", async () => {
    const preload = `
      import { isMainThread } from "node:worker_threads"
      if (isMainThread) Object.assign(process.stdout, { isTTY: true, columns: 120 })`
    const [piped, terminal] = await Promise.all([
      measuredRun(["--replay", archive]),
      measuredRun(["--replay", archive], { preload, env: { NO_COLOR: "" } })
    ])
    expect(piped.stdout).not.toContain("\u001b")
    expect(terminal.stdout).toContain("\u001b[")
    const widest = (text: string): number =>
      Math.max(
        ...text
          .replace(/\u001b\[[\d;]*m/g, "")
          .split("\n")
          .map(({ length }) => length)
      )
    expect(widest(terminal.stdout)).toBeGreaterThan(widest(piped.stdout))
  })
})
