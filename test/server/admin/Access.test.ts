import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from "jose"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tcpServer } from "../../evidence/LoopbackServers.ts"
import { startService, type TestService } from "../TestService.ts"
import { AUDIENCE, SECRET, startAdminService, type AdminTestService, tokenOf } from "./AdminService.ts"

let service: AdminTestService
beforeAll(async () => {
  service = await startAdminService()
})
afterAll(() => service.stop())

const asked = (
  token: string | null,
  over: { readonly url?: string; readonly path?: string; readonly init?: RequestInit } = {}
): Promise<Response> =>
  fetch(`${over.url ?? service.url}/api/admin${over.path ?? "/dashboards"}`, {
    ...over.init,
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), "content-type": "application/json" }
  })

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const inTime = (): number => Math.floor(Date.now() / 1_000) + 60

describe("a token", () => {
  it("signed with the secret is accepted", async () => {
    const answer = await asked(await tokenOf())
    expect(answer.status).toBe(200)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.headers.get("access-control-allow-origin")).toBeNull()
  })

  it("is requested with WWW-Authenticate, in the form of all errors", async () => {
    const answer = await asked(null)
    expect(answer.status).toBe(401)
    expect(answer.headers.get("www-authenticate")).toBe("Bearer")
    expect(await answer.json()).toEqual({ error: "A bearer token is required.", code: "unauthorized" })
  })

  it.each<readonly [string, () => Promise<string>]>([
    ["is no token at all", () => Promise.resolve("nonsense")],
    ["has three empty parts", () => Promise.resolve("..")],
    ["is signed with another secret", () => tokenOf({}, "another secret that is long enough for HS256 as well")],
    ["has expired", () => tokenOf({ expires: -60 })],
    ["never ends", () => tokenOf({ expires: null })],
    ["is for another audience", () => tokenOf({ audience: "https://elsewhere.example/api/admin" })],
    ["has no subject", () => tokenOf({ sub: "" })],
    ["has a subject that is no text", () => Promise.resolve(`${part({ alg: "HS256" })}.${part({ sub: 7 })}.x`)],
    [
      "is not signed: alg none",
      () =>
        Promise.resolve(
          new UnsecuredJWT({ role: "operator" })
            .setSubject("eve")
            .setAudience(AUDIENCE)
            .setExpirationTime("1m")
            .encode()
        )
    ],
    [
      "is not signed: alg NONE with a made-up signature",
      () =>
        Promise.resolve(
          `${part({ alg: "NONE" })}.${part({ sub: "eve", aud: AUDIENCE, role: "operator", exp: inTime() })}.AAAA`
        )
    ],
    [
      "is of HS512",
      () =>
        new SignJWT({ role: "operator" })
          .setProtectedHeader({ alg: "HS512" })
          .setSubject("eve")
          .setAudience(AUDIENCE)
          .setExpirationTime("1m")
          .sign(new TextEncoder().encode(SECRET.repeat(2)))
    ],
    [
      "is of HS384 with the right secret",
      () =>
        new SignJWT({ role: "operator" })
          .setProtectedHeader({ alg: "HS384" })
          .setSubject("eve")
          .setAudience(AUDIENCE)
          .setExpirationTime("1m")
          .sign(new TextEncoder().encode(SECRET))
    ],
    [
      "is of RS256 with a key of its own in the header",
      async () => {
        const { privateKey, publicKey } = await generateKeyPair("RS256")
        return new SignJWT({ role: "operator" })
          .setProtectedHeader({ alg: "RS256", jwk: await exportJWK(publicKey) })
          .setSubject("eve")
          .setAudience(AUDIENCE)
          .setExpirationTime("1m")
          .sign(privateKey)
      }
    ],
    [
      "was changed after it was signed",
      async () => {
        const [head = "", , signature = ""] = (await tokenOf({ claims: { role: "viewer" } })).split(".")
        return `${head}.${part({ sub: "ada", aud: AUDIENCE, role: "operator", exp: inTime() })}.${signature}`
      }
    ],
    ["names a critical extension", async () => `${part({ alg: "HS256", crit: ["b64"], b64: true })}.${part({})}.AAAA`],
    ["is huge", () => tokenOf({ claims: { role: "operator", filler: "x".repeat(9_000) } })]
  ])("that %s is refused", async (_what, made) => {
    const answer = await asked(await made())
    expect(answer.status).toBe(401)
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/)
    expect(await answer.json()).toMatchObject({ code: "unauthorized" })
  })

  it("that is refused is counted and logged with its sender, but never in plain text", async () => {
    const fresh = await startAdminService()
    const { url } = fresh
    const count = async (): Promise<ReadonlyArray<number>> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return ["invalid", "no_role", "read_only"].map((reason) =>
        Number(new RegExp(`docgauge_admin_refusals_total\\{reason="${reason}"\\} (\\d+)`).exec(text)?.[1])
      )
    }
    const lines = (): ReadonlyArray<string> =>
      fresh.logs.filter((line) => line.includes("the admin API refused a token"))
    try {
      const before = await count()
      const forged = await tokenOf({ sub: "mallory" }, "another secret that is long enough for HS256 as well")
      await asked(forged, { url })
      await asked(await tokenOf({ sub: "roleless", claims: {} }), { url })
      await asked(await tokenOf({ sub: "vera", claims: { role: "viewer" } }), {
        url,
        path: "/queue/pause?x=y",
        init: { method: "POST" }
      })
      await asked(null, { url })
      await asked(await tokenOf(), { url })
      expect(await count()).toEqual(before.map((one) => one + 1))
      expect(lines().map((line) => /reason=(\w+)/.exec(line)?.[1])).toEqual(["invalid", "no_role", "read_only"])
      expect(lines().at(2)).toMatch(/client=127\.0\.0\.1 .*method=POST path=\/api\/admin\/queue\/pause holder=vera/)
      expect(lines().join()).not.toContain(forged.slice(-20))
      for (let round = 0; round < 20; round += 1) await asked("nonsense", { url })
      expect([lines().length, (await count())[0]]).toEqual([10, (before[0] ?? 0) + 21])
    } finally {
      await fresh.stop()
    }
  })

  it("is refused if it is larger than the header limit", async () => {
    expect((await asked("x".repeat(40_000))).status).toBe(431)
  })

  it("is not accepted from the query, a cookie or another scheme", async () => {
    const token = await tokenOf()
    expect((await fetch(`${service.url}/api/admin/dashboards?access_token=${token}`)).status).toBe(401)
    for (const headers of [
      { cookie: `bearer=${token}` },
      { authorization: `Basic ${token}` },
      { authorization: token }
    ]) {
      expect((await fetch(`${service.url}/api/admin/dashboards`, { headers })).status).toBe(401)
    }
  })

  it("is accepted a few seconds after its expiry, as clocks differ", async () => {
    expect((await asked(await tokenOf({ expires: -1 }))).status).toBe(200)
  })
})

describe("roles", () => {
  it.each([
    [{ role: "viewer" }, 200, 403],
    [{ role: "operator" }, 200, 404],
    [{ roles: ["viewer", "billing"] }, 200, 403],
    [{ roles: ["viewer", "operator"] }, 200, 404],
    [{ roles: "operator" }, 200, 404],
    [{}, 403, 403],
    [{ role: "admin" }, 403, 403],
    [{ role: "Operator" }, 403, 403]
  ])("%j reads with %i and writes with %i", async (claims, reads, writes) => {
    const token = await tokenOf({ claims })
    expect((await asked(token)).status).toBe(reads)
    const written = await asked(token, { path: "/dashboards/nowhere", init: { method: "DELETE" } })
    expect(written.status).toBe(writes)
    expect(await written.json()).toMatchObject({ code: writes === 403 ? "forbidden" : "not_found" })
  })
})

describe("a request's body", () => {
  const post = async (body: string | Uint8Array, type = "application/json"): Promise<Response> =>
    fetch(`${service.url}/api/admin/dashboards`, {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenOf()}`, "content-type": type },
      body: typeof body === "string" ? body : Buffer.from(body)
    })

  it("is not read before the token is checked", async () => {
    expect((await asked(null, { init: { method: "POST", body: "no JSON" } })).status).toBe(401)
  })

  it("gets an error that names the invalid place", async () => {
    const answer = await post(JSON.stringify({ slug: "x", title: "X", definition: { widgets: [{ kind: "corpus" }] } }))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: expect.stringMatching(/^body\.definition\.widgets\.0/) })
    expect((await post("{")).status).toBe(400)
    expect((await post("")).status).toBe(400)
  })

  it("must be JSON, and not too large", async () => {
    expect((await post("slug=x", "application/x-www-form-urlencoded")).status).toBe(415)
    expect((await post(JSON.stringify({ slug: "x".repeat(70_000) }))).status).toBe(413)
    const stream = new ReadableStream({
      start: (sink) => {
        for (let part = 0; part < 80; part += 1) sink.enqueue(new Uint8Array(1_024).fill(32))
        sink.close()
      }
    })
    const chunked = await fetch(`${service.url}/api/admin/dashboards`, {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenOf()}`, "content-type": "application/json" },
      body: stream,
      duplex: "half"
    })
    expect(chunked.status).toBe(413)
  })
})

describe("without a key", () => {
  let off: TestService
  beforeAll(async () => {
    off = await startService()
  })
  afterAll(() => off.stop())

  it("the API does not exist: it responds like any unknown path", async () => {
    const nowhere = await (await fetch(`${off.url}/api/nowhere`)).json()
    for (const path of ["/dashboards", "/log", "/openapi.json", ""]) {
      const answer = await asked(await tokenOf(), { url: off.url, path })
      expect([answer.status, await answer.json()]).toEqual([404, nowhere])
    }
    expect((await asked(null, { url: off.url, init: { method: "POST" } })).status).toBe(404)
  })
})

describe("without a database", () => {
  it("the API does not exist either, and the log says why", async () => {
    const service = await startService({ env: { DOCGAUGE_DATABASE_URL: "memory:", DOCGAUGE_ADMIN_JWT_SECRET: SECRET } })
    expect((await asked(await tokenOf(), { url: service.url })).status).toBe(404)
    expect(service.logs.join("\n")).toContain("The admin API is off: it needs a database")
    await service.stop()
  })
})

describe("with a key set", () => {
  let keyed: TestService
  let stop: () => void
  let asks = 0
  const tokens = { rs: "", es: "", confused: "", foreign: "", issued: "", weak: "" }

  beforeAll(async () => {
    const [rsa, ec, other] = await Promise.all([
      generateKeyPair("RS256"),
      generateKeyPair("ES256"),
      generateKeyPair("RS256")
    ])
    const keys = [
      { ...(await exportJWK(rsa.publicKey)), kid: "rsa", alg: "RS256", use: "sig" },
      { ...(await exportJWK(ec.publicKey)), kid: "ec" },
      { kty: "oct", k: part(SECRET), kid: "shared", alg: "HS256" }
    ]
    const server = createServer((_request, response) => {
      asks += 1
      response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve)
    })
    stop = () => server.close()
    const { port } = server.address() as AddressInfo
    keyed = await startService({
      dials: true,
      env: {
        DOCGAUGE_ADMIN_JWKS_URL: `http://127.0.0.1:${port}/keys`,
        DOCGAUGE_ADMIN_JWT_ISSUER: "https://id.example",
        DOCGAUGE_ADMIN_JWT_AUDIENCE: "docgauge"
      }
    })
    const claims = (issuer = "https://id.example") =>
      new SignJWT({ roles: ["operator"] })
        .setSubject("ada")
        .setAudience(["other", "docgauge"])
        .setIssuer(issuer)
        .setExpirationTime("1m")
    tokens.rs = await claims().setProtectedHeader({ alg: "RS256", kid: "rsa" }).sign(rsa.privateKey)
    tokens.es = await claims().setProtectedHeader({ alg: "ES256", kid: "ec" }).sign(ec.privateKey)
    tokens.issued = await claims("https://elsewhere.example")
      .setProtectedHeader({ alg: "RS256", kid: "rsa" })
      .sign(rsa.privateKey)
    tokens.foreign = await claims().setProtectedHeader({ alg: "RS256", kid: "rsa" }).sign(other.privateKey)
    tokens.confused = await claims()
      .setProtectedHeader({ alg: "HS256", kid: "rsa" })
      .sign(new TextEncoder().encode(await exportSPKI(rsa.publicKey)))
    tokens.weak = await claims()
      .setProtectedHeader({ alg: "HS256", kid: "shared" })
      .sign(Buffer.from(part(SECRET), "base64url"))
  })
  afterAll(async () => {
    await keyed.stop()
    stop()
  })

  const status = async (token: string): Promise<number> => (await asked(token, { url: keyed.url })).status

  it("tokens with RS256 and ES256 are accepted, and the keys are cached", async () => {
    expect([await status(tokens.rs), await status(tokens.es), await status(tokens.rs)]).toEqual([200, 200, 200])
    expect(asks).toBe(1)
  })

  it("other tokens are not: a foreign key, another issuer, HS256 with the public key or with a shared one", async () => {
    expect([
      await status(tokens.foreign),
      await status(tokens.issued),
      await status(tokens.confused),
      await status(tokens.weak),
      await status(await tokenOf({ audience: "docgauge" }))
    ]).toEqual([401, 401, 401, 401, 401])
  })

  /** The status and `Retry-After` of a request to a service with a key set at this port. */
  const answerWithKeysAt = async (port: number): Promise<ReadonlyArray<unknown>> => {
    const service = await startService({
      dials: true,
      env: { DOCGAUGE_ADMIN_JWKS_URL: `http://127.0.0.1:${port}/keys` }
    })
    const answer = await asked(tokens.rs, { url: service.url })
    await service.stop()
    return [answer.status, answer.headers.get("retry-after")]
  }

  it("that is unavailable, requests get a 503", async () => {
    expect(await answerWithKeysAt(9)).toEqual([503, "5"])
  })

  it.each([
    [
      "sends a body without an end",
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"keys":[`,
      " ".repeat(64 * 1_024)
    ],
    [
      "sends interim answers without an end",
      "",
      "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n".repeat(1_000)
    ]
  ])("of a server that %s, little is read and requests get a 503", async (_name, start, piece) => {
    let read = 0
    const flood = await tcpServer((socket) => {
      const send = (): void => {
        socket.write(piece, (error) => {
          if (error === null || error === undefined) setImmediate(send)
        })
      }
      socket.once("data", () => {
        socket.write(start + piece, send)
      })
      socket.on("close", () => {
        read += socket.bytesWritten - socket.writableLength
      })
    })
    expect(await answerWithKeysAt(flood.port)).toEqual([503, "5"])
    // Most of it waits in the buffers of the system, which take a few MB on loopback; without a limit 20 to 55 MB were read.
    expect(read).toBeLessThan(16 * 1_024 * 1_024)
    await flood.close()
  })
})
