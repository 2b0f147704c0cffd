import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import type { Server } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type AgentService, freePort, startAgentService } from "./AgentService.ts"
import { startFixtureProxy } from "./FixtureProxy.ts"
import { nothingKept, UnaidedClient } from "./UnaidedClient.ts"

const SUITE = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js")
const OF_OTHERS = resolve(import.meta.dirname, "conformance-of-others.yaml")

let service: AgentService
let proxy: Server
let address: string

/** The fixtures of the suite, and what of ours stands for each. */
const fixtures = (reportOf123: string): ReadonlyArray<readonly [string | RegExp, string]> => [
  [/"name":"test_simple_text"/, "\"name\":\"audit\",\"arguments\":{\"base_url\":\"https://simple.example.org\"}"],
  [/"name":"test_tool_with_progress","arguments":\{\}/, "\"name\":\"audit\",\"arguments\":{\"base_url\":\"https://stepping.example.org\"}"],
  ["test_error_handling", "get_report"],
  ["test://static-text", "docgauge://rubric"],
  ["test://template/123/data", `docgauge://runs/${reportOf123}`],
  [/"name":"test_simple_prompt"/, "\"name\":\"make_documentation_agent_ready\",\"arguments\":{\"base_url\":\"https://docs.example.org\"}"],
  [/"type":"ref\/prompt","name":"test_prompt_with_arguments"/, "\"type\":\"ref/resource\",\"uri\":\"docgauge://rubric/{criterion}\""],
  [/"argument":\{"name":"arg1","value":"test"\}/, "\"argument\":{\"name\":\"criterion\",\"value\":\"B\"}"],
  ["test_prompt_with_arguments", "make_documentation_agent_ready"],
  [/"arguments":\{"arg1":"testValue1","arg2":"testValue2"\}/, "\"arguments\":{\"base_url\":\"https://testValue1.example/testValue2\"}"]
]

beforeAll(async () => {
  const port = await freePort()
  service = await startAgentService()
  const keep = nothingKept()
  const agent = new UnaidedClient(service.mcp, keep)
  await agent.connect()
  const audited = await agent.client.callTool({ name: "audit", arguments: { base_url: "https://docs123.example.org" } })
  const { run_id: runId } = audited.structuredContent as { readonly run_id: string }
  await agent.close()
  const replacements = fixtures(runId)
  address = `http://127.0.0.1:${port}/mcp`
  proxy = await startFixtureProxy({
    port,
    target: service.mcp,
    token: keep.tokens.value?.access_token ?? "",
    translate: (message) => replacements.reduce((text, [from, to]) => text.replace(from, to), message)
  })
})

afterAll(async () => {
  proxy.close()
  proxy.closeAllConnections()
  await service.stop()
})

it("passes the official conformance suite, every scenario that applies", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-conformance-"))
  const { code, output } = await new Promise<{ readonly code: number | null; readonly output: string }>((settle) => {
    const child = execFile(
      process.execPath,
      [SUITE, "server", "--url", address, "--suite", "all", "--expected-failures", OF_OTHERS],
      { cwd: folder, maxBuffer: 50 * 1_024 * 1_024 },
      (_, stdout, stderr) => settle({ code: child.exitCode, output: stdout + stderr })
    )
  })
  rmSync(folder, { recursive: true, force: true })
  expect({ code, summary: output.slice(output.indexOf("=== SUMMARY ===")) }).toMatchObject({ code: 0 })
}, 120_000)
