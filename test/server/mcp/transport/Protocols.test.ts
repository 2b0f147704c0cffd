import { afterAll, describe, expect, it } from "vitest"
import { McpProcess, type Message } from "../../../cli/McpProcess.ts"
import { bodyOf, INITIALIZE } from "../../oauth/Dance.ts"
import { startAuthorizedAgent } from "../AgentService.ts"

const SESSION_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
const LISTS = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]

/** What the newest revision, which has no sessions, puts into each request. */
const stateless = (method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: {
    ...params,
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }
  }
})

const { dance, service, token } = await startAuthorizedAgent()
afterAll(() => service.stop())

/** The answer to a request in that revision over HTTP, in a session of its own where the revision has them. */
const ask = async (revision: string, method: string, params: object = {}): Promise<Message> => {
  if (revision === "2026-07-28") {
    const name = "uri" in params && typeof params.uri === "string" ? { "mcp-name": params.uri } : {}
    return bodyOf<Message>(
      await dance.message(token, stateless(method, params), {
        "mcp-protocol-version": revision,
        "mcp-method": method,
        ...name
      })
    )
  }
  const opened = await dance.message(token, {
    ...INITIALIZE,
    params: { ...INITIALIZE.params, protocolVersion: revision }
  })
  if (method === "initialize") return bodyOf<Message>(opened)
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": revision }
  return bodyOf<Message>(await dance.message(token, { jsonrpc: "2.0", id: 2, method, params }, session))
}

describe("capabilities", () => {
  const announced = { completions: {}, tools: {}, resources: {}, prompts: {} }

  it.each(SESSION_REVISIONS)(
    "do not announce logging, subscriptions or list changes, which do not exist here: %s",
    async (revision) => {
      const { completions: _, ...old } = announced
      expect((await ask(revision, "initialize")).result?.["capabilities"]).toEqual(
        revision === "2024-11-05" ? old : announced
      )
    }
  )

  it("do not announce them in the newest revision, nor over standard input and output", async () => {
    expect((await ask("2026-07-28", "server/discover")).result?.["capabilities"]).toEqual(announced)
    const local = new McpProcess([])
    expect((await local.initialize()).result?.["capabilities"]).toEqual(announced)
    await local.end()
  })
})

describe("cursors", () => {
  it.each([...SESSION_REVISIONS, "2026-07-28"])(
    "are refused as invalid, because no list has a second page: %s",
    async (revision) => {
      for (const method of LISTS) {
        expect([method, (await ask(revision, method, { cursor: "made-up" })).error]).toEqual([
          method,
          { code: -32_602, message: expect.stringContaining("Invalid cursor") }
        ])
        expect((await ask(revision, method)).result).toBeDefined()
      }
    }
  )
})

describe("resources that do not exist", () => {
  const MISSING = [
    "docgauge://nothing",
    "docgauge://rubric/Z9",
    "docgauge://rubric/%",
    "docgauge://runs/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
  ]

  it.each(SESSION_REVISIONS)("are answered with -32002, the code of revisions with sessions: %s", async (revision) => {
    for (const uri of MISSING)
      expect([uri, (await ask(revision, "resources/read", { uri })).error?.code]).toEqual([uri, -32_002])
  })

  it("are answered with -32602 and their URI in the newest revision", async () => {
    for (const uri of MISSING) {
      expect((await ask("2026-07-28", "resources/read", { uri })).error).toMatchObject({ code: -32_602, data: { uri } })
    }
  })

  it("are distinguished from those that exist", async () => {
    for (const revision of ["2025-11-25", "2026-07-28"]) {
      expect(
        (await ask(revision, "resources/read", { uri: "docgauge://rubric/a1" })).result?.["contents"]
      ).toHaveLength(1)
    }
  })

  it("are answered with -32002 over standard input and output, too", async () => {
    const local = new McpProcess([])
    await local.initialize()
    local.send({ id: 1, method: "resources/read", params: { uri: "docgauge://rubric/Z9" } })
    expect((await local.answer(1)).error?.code).toBe(-32_002)
    await local.end()
  })
})
