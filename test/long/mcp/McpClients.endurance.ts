import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { execFile } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { freePort } from "../../harness/port/FreePort.ts"
import { type AgentService, startAgentService } from "../../server/mcp/AgentService.ts"
import { bodyOf, Dance } from "../../server/oauth/Dance.ts"

/*
 * Clients as their users have them, installed from the registry for this test alone: together they are 200 MB, and none of
 * them is a part of docgauge. Each has to show its agent what a refusal says. The clients of SDK v1 and v2 themselves are
 * tested in test/long/mcp/SdkV1.test.ts and test/server/mcp.
 */
const PACKAGES = {
  "@modelcontextprotocol/inspector": "2.12.0",
  "mcp-remote": "0.15.1",
  "@ai-sdk/mcp": "2.0.99",
  zod: "4.6.7",
  "@langchain/mcp-adapters": "1.1.4",
  "@langchain/core": "1.4.0",
  "@langchain/langgraph": "1.7.3"
}

const CLIENTS = resolve(import.meta.dirname, "clients")
const TOOLS = ["audit", "get_report"]
const REFUSED = { remote: "https://docs.example.org", local: "http://docs.example.com" }

const run = promisify(execFile)

let folder: string
let service: AgentService
let token: string
let runId: string

/** Runs a program of the folder; what it wrote to stdout. */
const node = async (program: string, args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    env: { ...process.env, HOME: folder, MCP_CATALOG_PATH: join(folder, "catalog.json") },
    maxBuffer: 10_000_000,
    timeout: 60_000
  }).catch((error: { readonly stdout?: string; readonly stderr?: string }) => ({
    stdout: `${error.stdout ?? ""}${error.stderr ?? ""}`
  }))
  return stdout
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-clients-"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies: PACKAGES }))
  const install = run(
    "npm",
    ["install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--prefer-offline"],
    {
      cwd: folder,
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` }
    }
  )
  service = await startAgentService({
    env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "off", DOCGAUGE_MCP_NETWORK_FACTOR: "1" }
  })
  const dance = new Dance(service.url)
  token = (await dance.authorized()).access_token
  // The quota of the site is spent: whatever client asks next is refused, and told of this run.
  const submitted = await bodyOf<{ readonly result: { readonly structuredContent: { readonly run_id: string } } }>(
    await dance.message(
      token,
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "audit",
          arguments: { base_url: REFUSED.remote },
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}
          }
        }
      },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "audit" }
    )
  )
  runId = submitted.result.structuredContent.run_id
  await install
  for (const script of ["ai-sdk.mjs", "langchain.mjs"]) copyFileSync(join(CLIENTS, script), join(folder, script))
})

afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What an agent has to read of a refusal over HTTP: the code, the wait, what to do and the run to read. Some clients show it as JSON. */
const expectRefusal = (shown: string): void => {
  expect(shown).toContain("Error site_quota: ")
  expect(shown.replaceAll("\\n", "\n")).toMatch(/^retry_after: \d+$/m)
  expect(shown).toContain("Call get_report with the run_id below")
  expect(shown).toContain(`run_id: ${runId}`)
}

const expectRefusalsByScript = async (script: string) => {
  const asked = {
    tool: "audit",
    refusedBaseUrl: REFUSED,
    remote: { url: service.mcp, headers: { authorization: `Bearer ${token}` } },
    local: { command: process.execPath, args: [PROGRAM, "mcp"] }
  }
  const written = await node(script, [JSON.stringify(asked)])
  const results = JSON.parse(written) as Record<
    "http" | "stdio",
    { readonly tools: ReadonlyArray<string>; readonly text: string }
  >
  for (const { tools } of Object.values(results)) expect(tools).toEqual(TOOLS)
  expectRefusal(results.http.text)
  expect(results.stdio.text).toContain("Error http_not_supported: ")
}

describe("clients in the field", () => {
  it("the ai SDK shows refusals over HTTP and over standard input and output", () =>
    expectRefusalsByScript("ai-sdk.mjs"))

  it("LangChain shows refusals over HTTP and over standard input and output", () =>
    expectRefusalsByScript("langchain.mjs"))

  it("the Inspector shows refusals over HTTP and over standard input and output", async () => {
    const inspector = "node_modules/.bin/mcp-inspector"
    const call = (baseUrl: string) => [
      "--method",
      "tools/call",
      "--tool-name",
      "audit",
      "--tool-arg",
      `base_url=${baseUrl}`
    ]
    const header = ["--transport", "http", "--header", `Authorization: Bearer ${token}`]
    expect(await node(inspector, ["--cli", service.mcp, ...header, "--method", "tools/list"])).toContain('"get_report"')
    expectRefusal(await node(inspector, ["--cli", service.mcp, ...header, ...call(REFUSED.remote)]))
    expect(await node(inspector, ["--cli", process.execPath, PROGRAM, "mcp", ...call(REFUSED.local)])).toContain(
      "Error http_not_supported: "
    )
  })

  it("mcp-remote gets authorization by itself and passes refusals on to a client of SDK v1", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        join(folder, "node_modules/.bin/mcp-remote"),
        service.mcp,
        String(await freePort()),
        "--allow-http",
        "--transport",
        "http-only"
      ],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        MCP_REMOTE_CONFIG_DIR: join(folder, "mcp-remote"),
        BROWSER: "/bin/true"
      },
      stderr: "pipe"
    })
    let told = ""
    let visited = false
    transport.stderr?.on("data", (data) => {
      told += String(data)
      const [url] = /http\S+\/oauth\/authorize\?\S+/.exec(told) ?? []
      if (url === undefined || visited || !told.endsWith("\n")) return
      visited = true
      void fetch(url)
    })
    const client = new Client({ name: "sdk-v1", version: "1" })
    await client.connect(transport)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS)
    const answer = await client.callTool({ name: "audit", arguments: { base_url: REFUSED.remote } })
    expect([visited, answer.isError]).toEqual([true, true])
    expectRefusal(JSON.stringify(answer.content))
    await client.close()
  })
})
