import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type AgentService, startAgentService } from "./AgentService.ts"
import { nothingKept, UnaidedClient } from "./UnaidedClient.ts"

let service: AgentService
beforeAll(async () => {
  service = await startAgentService()
})
afterAll(() => service.stop())

interface Structured {
  readonly run_id: string
  readonly status: string
  readonly report: string
}

/** The text of a result's first block. */
const textOf = ({ content: [block] }: Awaited<ReturnType<UnaidedClient["client"]["callTool"]>>): string =>
  block?.type === "text" ? block.text : ""

const auditOf = (host: string) => ({ name: "audit", arguments: { base_url: `https://${host}` } })

describe("the official client, unaided", () => {
  it("finds its way from the URL to a report: discovery, registration, authorization, token, session, tools", async () => {
    const agent = new UnaidedClient(service.mcp)
    await agent.connect()
    expect(agent.authorizations).toBe(1)
    expect(agent.callback.get("state")).toBe("some-state")
    expect(agent.requests).toEqual(
      expect.arrayContaining(["POST /mcp 401", "POST /oauth/register 201", "POST /oauth/token 200", "POST /mcp 200"])
    )
    expect(agent.client.getServerVersion()?.name).toBe("docgauge")
    expect((await agent.client.listTools()).tools.map(({ name }) => name)).toEqual(["audit", "get_report"])

    const audited = await agent.client.callTool(auditOf("first.example.org"))
    const { report, run_id, status } = audited.structuredContent as Structured
    expect(status).toBe("done")
    expect(report.split("\n", 1)[0]).toContain("60/100")
    expect(textOf(audited)).toBe(`${report.trimEnd()}\n\nrun_id: ${run_id}\nshare_url: ${service.url}/r/${run_id}`)

    const again = await agent.client.callTool({ name: "get_report", arguments: { run_id } })
    expect(again.structuredContent).toEqual(audited.structuredContent)
    const resource = await agent.client.readResource({ uri: `docgauge://runs/${run_id}` })
    expect(resource.contents).toEqual([{ uri: `docgauge://runs/${run_id}`, mimeType: "text/markdown", text: report }])
    await agent.close()
  })

  it("gets progress, and the report when the audit is done", async () => {
    const agent = new UnaidedClient(service.mcp)
    await agent.connect()
    const heard: Array<string> = []
    const answer = agent.client.callTool(auditOf("held.example.com"), {
      onprogress: ({ message = "" }) => {
        heard.push(message)
        service.auditor.release()
      }
    })
    expect((await answer).structuredContent).toMatchObject({ status: "done" })
    expect(heard.length).toBeGreaterThan(0)
    await agent.close()
  })

  it("cancels a call while the run continues for others", async () => {
    const stalled = await startAgentService()
    const agent = new UnaidedClient(stalled.mcp)
    await agent.connect()
    const giveUp = new AbortController()
    const answer = agent.client.callTool(auditOf("held.example.com"), {
      signal: giveUp.signal,
      onprogress: () => giveUp.abort("enough")
    })
    await expect(answer).rejects.toThrow("enough")
    stalled.auditor.release()
    expect((await agent.client.callTool(auditOf("held.example.com"))).structuredContent).toMatchObject({
      status: "done"
    })
    expect(stalled.auditor.audits()).toBe(1)
    await agent.close()
    await stalled.stop()
  })

  it("refreshes its token by itself once it has expired", async () => {
    // Long enough that a new token is used before it expires, on a slow machine, too.
    const brief = await startAgentService({ env: { DOCGAUGE_MCP_TOKEN_TTL: "8s" } })
    const keep = nothingKept()
    const agent = new UnaidedClient(brief.mcp, keep)
    await agent.connect()
    const [firstToken, firstRefresh] = [keep.tokens.value?.access_token, keep.tokens.value?.refresh_token]
    await new Promise((wake) => {
      setTimeout(wake, 9_100)
    })
    expect((await agent.client.listTools()).tools).toHaveLength(2)
    expect(agent.authorizations).toBe(1)
    expect(keep.tokens.value?.access_token).not.toBe(firstToken)
    expect(keep.tokens.value?.refresh_token).not.toBe(firstRefresh)
    await agent.close()
    await brief.stop()
  })

  it("reconnects with its stored tokens, without another authorization", async () => {
    const keep = nothingKept()
    const before = new UnaidedClient(service.mcp, keep)
    await before.connect()
    const { sessionId } = before
    await before.endSession()
    await before.close()
    const after = new UnaidedClient(service.mcp, keep)
    await after.connect()
    expect(after.authorizations).toBe(0)
    expect(after.sessionId).not.toBe(sessionId)
    expect((await after.client.listPrompts()).prompts).toHaveLength(1)
    await after.close()
  })

  it("uses the newest revision, which has no sessions, on request", async () => {
    const agent = new UnaidedClient(service.mcp, nothingKept(), { versionNegotiation: { mode: { pin: "2026-07-28" } } })
    await agent.connect()
    expect(agent.client.getNegotiatedProtocolVersion()).toBe("2026-07-28")
    expect(agent.sessionId).toBeUndefined()
    const answer = await agent.client.callTool(auditOf("stateless.example.net"))
    expect(answer.structuredContent).toMatchObject({ status: "done" })
    await agent.close()
  })

  it("gets a refusal as a tool error that names the run to read instead", async () => {
    const strict = await startAgentService({ env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "1s" } })
    const agent = new UnaidedClient(strict.mcp)
    await agent.connect()
    const first = (await agent.client.callTool(auditOf("docs.example.org"))).structuredContent as Structured
    await new Promise((wake) => {
      setTimeout(wake, 1_100)
    })
    const second = await agent.client.callTool(auditOf("docs.example.org"))
    expect(second.isError).toBe(true)
    expect(textOf(second)).toMatch(
      new RegExp(`^Error site_quota: [\\s\\S]*^retry_after: \\d+$[\\s\\S]*^run_id: ${first.run_id}$`, "m")
    )
    await agent.close()
    await strict.stop()
  })

  it("gets the newest report named in every refusal", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-agents-"))
    const strict = await startAgentService({
      env: { DOCGAUGE_SUBMIT_RATE: "1/60s", DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}` }
    })
    const agent = new UnaidedClient(strict.mcp)
    await agent.connect()
    const first = (await agent.client.callTool(auditOf("docs.example.org"))).structuredContent as Structured
    const second = await agent.client.callTool(auditOf("docs.example.org"))
    expect(textOf(second)).toMatch(
      new RegExp(`^Error rate_limited: [\\s\\S]*^retry_after: \\d+$[\\s\\S]*^run_id: ${first.run_id}$`, "m")
    )
    const other = await agent.client.callTool(auditOf("never.example.org"))
    expect(textOf(other)).toMatch(/^Error rate_limited: /)
    expect(textOf(other)).not.toContain("run_id")
    await agent.close()
    await strict.stop()
    rmSync(folder, { recursive: true, force: true })
  })
})
