import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, describe, expect, it } from "vitest"
import { runCli } from "../cli/RunCli.ts"
import { httpServer } from "../evidence/LoopbackServers.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-many-"))
afterAll(() => rmSync(folder, { recursive: true }))

const LATENCY_MS = 50

const page = (links: string): string => `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}${links}</main></html>`

const LINKS = Array.from({ length: 12 }, (_, index) => `<a href="page-${index}">Page ${index}</a>`).join("")

describe("twenty sites of one docgauge.yaml", () => {
  it("are audited side by side, with at most six requests at once to a host, also where ten share one", async () => {
    const open = new Map<string, number>()
    const most = new Map<string, number>()
    const server = await httpServer((request, response) => {
      const host = request.headers.host ?? ""
      open.set(host, (open.get(host) ?? 0) + 1)
      most.set(host, Math.max(most.get(host) ?? 0, open.get(host) ?? 0))
      setTimeout(() => {
        open.set(host, (open.get(host) ?? 0) - 1)
        const known = /^\/(?:site-\d+\/?)?(?:page-\d+)?$/.test(request.url ?? "")
        response.writeHead(known ? 200 : 404, { "content-type": "text/html" }).end(known ? page(LINKS) : "")
      }, LATENCY_MS)
    })
    const urls = Array.from({ length: 20 }, (_, index) => index < 10 ? `http://docs.shared-host.dev/site-${index}/` : `http://docs.many-${index}.dev`)
    writeFileSync(join(folder, "docgauge.yaml"), `sites:\n${urls.map((url) => `  - url: ${url}\n`).join("")}goals: { score: 1 }\n`)
    const { code, stderr, stdout } = await runCli(["--allow-http", "--resolve", `*:80:127.0.0.1:${server.port}`], { cwd: folder })
    await server.close()
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("20 sites: 20 meet their goals, 0 do not.")
    expect(most.size).toBe(11)
    expect(Math.max(...most.values())).toBeLessThanOrEqual(6)
  })

  it("take at most 1.3 times the longest alone or their share of the processor, whichever is more", async (context) => {
    const [load = 0] = loadavg()
    if (load > 1) return context.skip(`skipped: the machine is busy (load ${load.toFixed(1)})`)
    const server = await httpServer((request, response) => {
      const known = /^\/(?:page-\d+)?$/.test(request.url ?? "")
      setTimeout(() => response.writeHead(known ? 200 : 404, { "content-type": "text/html" }).end(known ? page(LINKS) : ""), LATENCY_MS)
    })
    const alone = await timed(1, server.port)
    const all = await timed(20, server.port)
    await server.close()
    const bound = 1.3 * Math.max(alone.seconds, all.cpuSeconds / availableParallelism())
    expect(all.seconds, `${all.seconds.toFixed(1)} s; alone ${alone.seconds.toFixed(1)} s; processor ${all.cpuSeconds.toFixed(1)} s`).toBeLessThanOrEqual(bound)
  })
})

/** Tells at the end how long the process has computed, in all its threads. */
const TELLS_CPU = `data:text/javascript,${encodeURIComponent(`import { isMainThread } from "node:worker_threads"
if (isMainThread) process.on("exit", () => { const { system, user } = process.cpuUsage(); process.stderr.write("cpu-us: " + (system + user) + "\\n") })`)}`

/** Audits so many sites of hosts of their own. */
const timed = async (sites: number, port: number): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> => {
  writeFileSync(join(folder, "timed.yaml"), `sites:\n${Array.from({ length: sites }, (_, index) => `  - url: http://docs.many-${index}.dev\n`).join("")}`)
  const began = performance.now()
  const args = ["--import", TELLS_CPU, PROGRAM, "--config", join(folder, "timed.yaml"), "--quiet", "--allow-http", "--resolve", `*:80:127.0.0.1:${port}`]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => { said += text })
  await once(child, "close")
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds: Number(/^cpu-us: (\d+)$/m.exec(said)?.[1]) / 1e6 }
}
