import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import type { Server } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Dance } from "../../server/oauth/Dance.ts"
import { freePort } from "../../harness/port/FreePort.ts"
import { type AgentService, startAgentService } from "../../server/mcp/AgentService.ts"
import { startFixtureProxy } from "../../server/mcp/FixtureProxy.ts"
import { ownOf } from "../../server/mcp/Fixtures.ts"
import { nothingKept, UnaidedClient } from "../../server/mcp/UnaidedClient.ts"

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js"
)

let service: AgentService
let proxy: Server
let address: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-conformance-"))
  const port = await freePort()
  service = await startAgentService({ env: { DOCGAUGE_MCP_RATE: "off", DOCGAUGE_TARGET_WINDOW: "off" } })
  const keep = nothingKept()
  const agent = new UnaidedClient(service.mcp, keep)
  await agent.connect()
  const audited = await agent.client.callTool({ name: "audit", arguments: { base_url: "https://docs123.example.org" } })
  const { run_id: runId } = audited.structuredContent as { readonly run_id: string }
  await agent.close()
  address = `http://127.0.0.1:${port}/mcp`
  proxy = await startFixtureProxy({
    port,
    target: service.mcp,
    token: keep.tokens.value?.access_token ?? "",
    translate: ownOf(runId)
  })
})

afterAll(async () => {
  proxy.close()
  proxy.closeAllConnections()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Outcome {
  readonly code: number | null
  readonly summary: string
}

/** Runs the suite. `read` gets what it has written so far, each time that it writes. */
const run = (args: ReadonlyArray<string>, read: (output: string) => void = () => {}): Promise<Outcome> =>
  new Promise((settle) => {
    const child = execFile(
      process.execPath,
      [SUITE, ...args],
      { cwd: folder, maxBuffer: 50 * 1_024 * 1_024 },
      (_, stdout, stderr) => {
        const output = stdout + stderr
        settle({ code: child.exitCode, summary: output.slice(Math.max(0, output.indexOf("=== SUMMARY ==="))) })
      }
    )
    let written = ""
    child.stdout?.on("data", (data) => read((written += String(data))))
  })

/** Goes once where the suite asks someone to go with a browser. */
const browser = () => {
  let visited = false
  return (output: string): void => {
    const [, url] = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(output) ?? []
    // The suite prints the address before it listens for the callback.
    if (url === undefined || !output.includes("Callback server started") || visited) return
    visited = true
    void fetch(url)
  }
}

describe("the official conformance suite", () => {
  it.each(["2025-11-25", "2026-07-28"])("passes in every scenario that applies to revision %s", async (revision) => {
    const expected = resolve(import.meta.dirname, `conformance-of-others-${revision}.yaml`)
    expect(
      await run(["server", "--url", address, "--requirements", revision, "--expected-failures", expected])
    ).toMatchObject({ code: 0 })
  })

  it("passes in every scenario for authorization servers: metadata, and the authorization code grant with PKCE", async () => {
    const port = await freePort()
    const clientId = await new Dance(service.url).client(`http://127.0.0.1:${port}/callback`)
    const outcome = await run(
      [
        "authorization",
        "--url",
        `${service.url}/docs`,
        "--client-id",
        clientId,
        "--resource",
        service.mcp,
        "--port",
        String(port)
      ],
      browser()
    )
    expect(outcome).toMatchObject({ code: 0 })
    expect(outcome.summary).toMatch(/2 passed, 0 failed|✓ authorization-code-grant: 1 passed, 0 failed/)
  })
})
