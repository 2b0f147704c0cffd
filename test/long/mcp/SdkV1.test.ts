import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import process from "node:process"
import { describe, expect, it } from "vitest"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { Dance } from "../../server/oauth/Dance.ts"
import { type AgentService, startAgentService } from "../../server/mcp/AgentService.ts"

/** Lists the tools first, as agents do: from then on this client checks structured content against their schemas. */
const connect = async (transport: Transport): Promise<Client> => {
  const client = new Client({ name: "sdk-v1", version: "1" })
  await client.connect(transport)
  await client.listTools()
  return client
}

const overHttp = async (service: AgentService): Promise<Client> => {
  const { access_token } = await new Dance(service.url).authorized()
  return connect(
    new StreamableHTTPClientTransport(new URL(service.mcp), {
      requestInit: { headers: { authorization: `Bearer ${access_token}` } }
    })
  )
}

const auditOf = (host: string) => ({ name: "audit", arguments: { base_url: `https://${host}` } })

/** The text of a tool error; anything else fails the test. */
const refusalOf = async (client: Client, call: Parameters<Client["callTool"]>[0]): Promise<string> => {
  const { content, isError, structuredContent } = await client.callTool(call)
  expect({ isError, structuredContent }).toEqual({ isError: true, structuredContent: undefined })
  const [block]: ReadonlyArray<{ readonly type: string; readonly text?: string }> = Array.isArray(content)
    ? content
    : []
  return block?.text ?? ""
}

describe("SDK v1 over HTTP", () => {
  it("shows the agent a refusal with its code, the wait and the run to read instead", async () => {
    const strict = await startAgentService({ env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "off" } })
    const client = await overHttp(strict)
    const { structuredContent: first } = await client.callTool(auditOf("docs.example.org"))
    const { run_id: runId } = first as { readonly run_id: string }
    const text = await refusalOf(client, auditOf("docs.example.org"))
    expect(text).toMatch(/^Error site_quota: /)
    expect(text).toMatch(/^retry_after: \d+$/m)
    expect(text).toContain("Call get_report with the run_id below")
    expect(text).toContain(`\nrun_id: ${runId}\n`)
    expect(text).toContain(`\nshare_url: ${strict.url}/r/${runId}`)
    expect(
      (await client.callTool({ name: "get_report", arguments: { run_id: runId } })).structuredContent
    ).toMatchObject({ status: "done" })
    await client.close()
    await strict.stop()
  })

  it("shows the agent why an audit failed, and what is wrong with its arguments", async () => {
    const service = await startAgentService()
    const client = await overHttp(service)
    expect(await refusalOf(client, auditOf("failing.example.org"))).toMatch(
      /^Error audit_failed: .*answers 403[\s\S]*\nThere is no report\. [^\n]*$/
    )
    expect(await refusalOf(client, auditOf("127.0.0.1"))).toMatch(/^Error not_public_address: /)
    expect(await refusalOf(client, { name: "audit", arguments: {} })).toMatch(/^Error invalid_arguments: /)
    expect(await refusalOf(client, { name: "get_report", arguments: { run_id: "x" } })).toMatch(/^Error not_found: /)
    await client.close()
    await service.stop()
  })
})

describe("SDK v1 over standard input and output", () => {
  it("shows the agent every refusal", async () => {
    const client = await connect(
      new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"], stderr: "ignore" })
    )
    expect(await refusalOf(client, { name: "audit", arguments: { base_url: "http://docs.example.com" } })).toMatch(
      /^Error http_not_supported: /
    )
    expect(await refusalOf(client, auditOf("127.0.0.1"))).toMatch(/^Error not_public_address: /)
    expect(await refusalOf(client, { name: "audit", arguments: {} })).toMatch(/^Error invalid_arguments: /)
    expect(await refusalOf(client, { name: "get_report", arguments: { run_id: "x" } })).toMatch(/^Error not_found: /)
    await client.close()
  })
})
