import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { runCli } from "../cli/RunCli.ts"
import { httpServer } from "../evidence/LoopbackServers.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-many-"))
afterAll(() => rmSync(folder, { recursive: true }))

const LATENCY_MS = 50

const page = (links: string): string =>
  `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}${links}</main></html>`

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
    const urls = Array.from({ length: 20 }, (_, index) =>
      index < 10 ? `http://docs.shared-host.dev/site-${index}/` : `http://docs.many-${index}.dev`
    )
    writeFileSync(
      join(folder, "docgauge.yaml"),
      `sites:\n${urls.map((url) => `  - url: ${url}\n`).join("")}goals: { score: 1 }\n`
    )
    const { code, stderr, stdout } = await runCli(["--allow-http", "--resolve", `*:80:127.0.0.1:${server.port}`], {
      cwd: folder
    })
    await server.close()
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("20 sites: 20 meet their goals, 0 do not.")
    expect(most.size).toBe(11)
    expect(Math.max(...most.values())).toBeLessThanOrEqual(6)
  })
})
