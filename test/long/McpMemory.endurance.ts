import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterAll, describe, expect, it } from "vitest"
import { Dance, INITIALIZE, REDIRECT } from "../server/oauth/Dance.ts"
import { startAgentService, startAuthorizedAgent } from "../server/mcp/AgentService.ts"

setFlagsFromString("--expose-gc")
const collect: unknown = runInNewContext("gc")

/** Megabytes that are in use once nothing is left to collect. */
const megabytes = async (): Promise<number> => {
  for (let round = 0; round < 3; round += 1) {
    if (typeof collect === "function") collect()
    await new Promise((wake) => {
      setTimeout(wake, 20)
    })
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1_048_576
}

const { dance, service, token } = await startAuthorizedAgent()
afterAll(() => service.stop())

describe("memory", () => {
  it("100 idle sessions cost less than 20 MB", async () => {
    const crowded = await startAgentService()
    const own = new Dance(crowded.url)
    const tokens: Array<string> = []
    for (let index = 0; index < 10; index += 1) tokens.push((await own.authorized()).access_token)
    const open = async (bearer: string) => {
      const answer = await own.message(bearer)
      await answer.text()
      return answer.headers.get("mcp-session-id")
    }
    for (const bearer of tokens) await open(bearer)
    const before = await megabytes()
    const sessions: Array<string | null> = []
    for (let index = 0; index < 100; index += 1) sessions.push(await open(tokens[index % tokens.length] ?? ""))
    expect(new Set(sessions).size).toBe(100)
    expect((await megabytes()) - before).toBeLessThan(20)
    await crowded.stop()
  })
})

describe("what attacks leave behind", () => {
  const expectNothingLeft = async (attack: () => Promise<unknown>): Promise<void> => {
    await attack()
    const before = await megabytes()
    for (let round = 0; round < 3; round += 1) await attack()
    expect((await megabytes()) - before).toBeLessThan(4)
  }
  const times = <A>(count: number, one: () => Promise<A>): Promise<ReadonlyArray<A>> =>
    Promise.all(Array.from({ length: count }, one))

  it("a flood of registrations and of authorizations: nothing", () =>
    expectNothingLeft(() =>
      times(100, async () => {
        await (await dance.register({ redirect_uris: [REDIRECT], client_name: "x".repeat(4_000) })).text()
        await (await dance.authorize(dance.asked("x".repeat(2_000)))).text()
      })
    ))

  it("a flood of sessions that never end: nothing", () =>
    expectNothingLeft(() => times(60, async () => (await dance.message(token)).text())))

  it("messages of 1 MB, deep ones and floods of batches: nothing", () =>
    expectNothingLeft(async () => {
      await times(10, async () =>
        (await dance.message(token, JSON.stringify({ ...INITIALIZE, padding: "x".repeat(1_000_000) }))).text()
      )
      await times(10, async () => (await dance.message(token, "[".repeat(60_000))).text())
      await times(10, async () =>
        (
          await dance.message(
            token,
            JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })))
          )
        ).text()
      )
    }))
})
