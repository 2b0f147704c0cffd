import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodyOf, Dance, INITIALIZE } from "../../oauth/Dance.ts"
import { freePort } from "../../../harness/port/FreePort.ts"
import { ownPostgres, postgres } from "../../../store/Databases.ts"
import { type AgentService, startAgentService } from "../AgentService.ts"

const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" }
const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

let database: Awaited<ReturnType<typeof ownPostgres>> | null = null
let port: number
let base: string
beforeAll(async () => {
  if (postgres.available) database = await ownPostgres()
  port = await freePort()
  base = `http://127.0.0.1:${port}`
})
afterAll(() => database?.remove())

/** A process of one service: all of them share a database and public addresses, whatever port each listens on. */
const process = (own: number): Promise<AgentService> =>
  startAgentService({
    env: { PORT: String(own), DOCGAUGE_BASE_URL: base, DOCGAUGE_DATABASE_URL: database?.url ?? "" }
  })

const open = async (dance: Dance, token: string, revision: string): Promise<Readonly<Record<string, string>>> => {
  const answer = await dance.message(token, {
    ...INITIALIZE,
    params: { ...INITIALIZE.params, protocolVersion: revision }
  })
  return { "mcp-session-id": answer.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": revision }
}

describe.skipIf(!postgres.available)("sessions", () => {
  it("continue in another process and after a restart, in the negotiated revision", async () => {
    const first = await process(port)
    const dance = new Dance(base)
    const { access_token: token } = await dance.authorized()
    const sessions = await Promise.all(REVISIONS.map((revision) => open(dance, token, revision)))
    const second = await process(await freePort())
    const other = new Dance(second.url)
    for (const session of sessions) {
      const answer = await other.message(token, LIST, session)
      expect([answer.status, answer.headers.get("mcp-protocol-version")]).toEqual([
        200,
        session["mcp-protocol-version"]
      ])
      expect(await answer.text()).toContain('"name":"get_report"')
    }
    await second.stop()
    await first.stop()
    const restarted = await process(port)
    for (const session of sessions) expect((await dance.message(token, LIST, session)).status).toBe(200)
    await restarted.stop()
  })

  it("cancel a request in another process without touching another session's request of the same id", async () => {
    const first = await process(port)
    const dance = new Dance(base)
    const { access_token: token } = await dance.authorized()
    const [own, other] = [await open(dance, token, "2025-11-25"), await open(dance, token, "2025-11-25")]
    await first.stop()
    const restarted = await process(port)
    const call = (host: string, headers: Readonly<Record<string, string>>) =>
      dance.message(
        token,
        {
          jsonrpc: "2.0",
          id: 7,
          method: "tools/call",
          params: { name: "audit", arguments: { base_url: `https://${host}` } }
        },
        headers
      )
    const [cancelled, kept] = [call("held.one.example", own), call("held.two.example", other)]
    await expect.poll(() => restarted.auditor.audits()).toBe(2)
    expect(
      (await dance.message(token, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }, own))
        .status
    ).toBe(202)
    expect(await (await cancelled).text()).not.toContain('"result"')
    restarted.auditor.release()
    expect(await (await kept).text()).toContain('"status":"done"')
    await restarted.stop()
  })

  it("belong to their grant in other processes too", async () => {
    const first = await process(port)
    const dance = new Dance(base)
    const [{ access_token: token }, { access_token: stranger }] = [await dance.authorized(), await dance.authorized()]
    const own = await open(dance, token, "2025-11-25")
    await first.stop()
    const restarted = await process(port)
    expect((await dance.message(stranger, LIST, own)).status).toBe(404)
    expect(
      (
        await bodyOf<{ readonly error: { readonly code: number } }>(
          await dance.message(token, LIST, { ...own, "mcp-session-id": `${own["mcp-session-id"]}x` })
        )
      ).error.code
    ).toBe(-32_001)
    expect((await dance.message(token, LIST, own)).status).toBe(200)
    await restarted.stop()
  })
})
