import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, describe, expect, it } from "vitest"
import { Network } from "../../engine/evidence/http/Network.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import type { ChildMessage, Post, PostAnswer, PostTask } from "../../engine/process/AuditTask.ts"
import { carryOutPosts } from "../../engine/process/PostWork.ts"
import { httpServer, type Loopback, rawServer } from "../evidence/LoopbackServers.ts"

const servers: Array<Loopback> = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const kept = async (server: Promise<Loopback>): Promise<Loopback> => {
  const made = await server
  servers.push(made)
  return made
}

const OPEN: PostTask["network"] = {
  resolve: [],
  allowPrivate: true,
  allowHttp: true,
  userAgents: userAgents("1.2.3", null)
}
const PUBLIC = { ...OPEN, allowPrivate: false, allowHttp: false }

const postTo = (url: string, body = "{}"): Post => ({ url, body, headers: { "webhook-id": "one" } })

const posted = async (
  urls: ReadonlyArray<string>,
  network = OPEN,
  services: Layer.Layer<never> = Layer.empty
): Promise<ReadonlyArray<PostAnswer>> => {
  const told: Array<ChildMessage> = []
  const task: PostTask = { kind: "post", posts: urls.map((url) => postTo(url)), network }
  await Effect.runPromise(Effect.provide(carryOutPosts(task, { tell: (message) => void told.push(message) }), services))
  expect(told.map(({ _tag }) => _tag)).toEqual(["Posted", "Ended"])
  return told[0]?._tag === "Posted" ? told[0].answers : []
}

describe("a message that is posted", () => {
  it("arrives as it is, with its headers, as JSON and from docgauge", async () => {
    const got: Array<unknown> = []
    const { port } = await kept(
      httpServer((request, response) => {
        let body = ""
        request.setEncoding("utf8").on("data", (piece: string) => {
          body += piece
        })
        request.on("end", () => {
          got.push(request.method, request.url, request.headers, body)
          response.writeHead(204).end()
        })
      })
    )
    expect(await posted([`http://127.0.0.1:${port}/hook/?token=a`])).toEqual([
      { status: 204, problem: null, retryAfterMs: null }
    ])
    expect(got).toEqual([
      "POST",
      "/hook/?token=a",
      expect.objectContaining({
        "webhook-id": "one",
        "content-type": "application/json",
        "user-agent": "docgauge/1.2.3"
      }),
      "{}"
    ])
  })

  it("has the status and the Retry-After of what the receiver answers, and follows no redirect", async () => {
    const { port } = await kept(
      httpServer((request, response) => {
        if (request.url === "/busy") response.writeHead(503, { "retry-after": "120" }).end("busy")
        else if (request.url === "/moved") response.writeHead(307, { location: "/busy" }).end()
        else response.writeHead(429, { "retry-after": "999999999999999999999" }).end()
      })
    )
    expect(await posted(["/busy", "/moved", "/never"].map((path) => `http://127.0.0.1:${port}${path}`))).toEqual([
      { status: 503, problem: null, retryAfterMs: 120_000 },
      { status: 307, problem: null, retryAfterMs: null },
      { status: 429, problem: null, retryAfterMs: 172_800_000 }
    ])
  })

  it("reads no more than a little of a huge answer", async () => {
    let sent = 0
    const { port } = await kept(
      httpServer((_request, response) => {
        const part = Buffer.alloc(1024 * 1024, "x")
        const more = (): void => {
          if (response.destroyed || sent > 64 * part.length) return
          sent += part.length
          response.write(part, more)
        }
        response.writeHead(200)
        more()
      })
    )
    expect(await posted([`http://127.0.0.1:${port}/`])).toEqual([{ status: 200, problem: null, retryAfterMs: null }])
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  it("says what is wrong with a receiver that is not there, and with one that does not speak HTTP", async () => {
    const { port } = await kept(rawServer("SSH-2.0-OpenSSH_9.0\r\n"))
    const closed = await httpServer(() => undefined)
    await closed.close()
    const [gone, other] = await posted([`http://127.0.0.1:${closed.port}/`, `http://127.0.0.1:${port}/`])
    expect(gone).toEqual({ status: null, problem: expect.stringContaining("refused"), retryAfterMs: null })
    expect(other).toMatchObject({ status: null, problem: expect.any(String) })
  })

  it("goes to no address that is not public, whatever it is called, and to no plain http: nothing is connected to", async () => {
    const receiver = await kept(httpServer((_request, response) => response.end()))
    const dialled: Array<string> = []
    const network = Layer.succeed(Network, {
      lookup: (name) => Promise.resolve(name === "mixed.dev" ? ["93.184.216.34", "10.0.0.1"] : ["169.254.169.254"]),
      dial: (addresses) => {
        dialled.push(...addresses)
        throw new Error("something was dialled")
      },
      ownAddresses: () => new Set()
    })
    const urls = [
      `https://127.0.0.1:${receiver.port}/`,
      `https://[::1]:${receiver.port}/`,
      "https://169.254.169.254/latest/meta-data",
      "https://2130706433/",
      "https://hooks.internal/",
      "https://rebound.dev/",
      "https://mixed.dev/",
      "http://hooks.dev/"
    ]
    const answers = await posted(urls, PUBLIC, network)
    expect(answers.map(({ status }) => status)).toEqual(urls.map(() => null))
    expect(answers.slice(0, 7).every(({ problem }) => /public|reserved/.test(problem ?? ""))).toBe(true)
    expect(answers[7]?.problem).toBe("plain http is not allowed")
    expect([dialled, receiver.connections()]).toEqual([[], 0])
  })
})
