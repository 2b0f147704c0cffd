import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Resolver } from "node:dns/promises"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { gunzipSync } from "node:zlib"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  type Certificate,
  certificateFor,
  httpServer,
  httpsServer,
  type Loopback
} from "../evidence/LoopbackServers.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { TEST_ENVIRONMENT } from "../harness/program/CompileCache.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"
import { type ForwardProxy, serveForwardProxy } from "../harness/ForwardProxy.ts"
import { audit } from "../../cli/library/Audit.ts"
import { runCli } from "./RunCli.ts"
import { runHere } from "./RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-proxy-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A public name that only the proxy knows. */
const HOST = "docs.behind-a-proxy.com"
const LOGIN = "worker:pr0xy-passw0rd"
const PAGE = `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back.</p>".repeat(10)}</main></html>`

const certificate: Certificate = certificateFor(HOST)
const authority = join(folder, "authority.pem")
const proxyCertificate: Certificate = certificateFor("localhost")
writeFileSync(authority, certificate.cert)

let site: Loopback
let plainSite: Loopback
let proxy: ForwardProxy
const hosts = new Set<string>()

const answer: Parameters<typeof httpServer>[0] = (request, response) => {
  hosts.add(request.headers.host ?? "")
  expect(request.headers["proxy-authorization"]).toBe(undefined)
  response
    .writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html" })
    .end(request.url === "/" ? PAGE : "")
}

beforeEach(async () => {
  hosts.clear()
  site = await httpsServer(answer, certificate)
  plainSite = await httpServer(answer)
  proxy = await serveForwardProxy({
    login: LOGIN,
    leadsTo: (host) => (host === HOST ? site : host === `plain.${HOST}` ? plainSite : null)
  })
})

afterEach(async () => {
  await Promise.all([proxy.close(), site.close(), plainSite.close()])
})

const here = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>, cwd?: string) =>
  runHere(args, { env: { ...process.env, ...environment }, ...(cwd === undefined ? {} : { cwd }) })

/** The same where these certificates are trusted. */
const trusting = async <A>(certificates: ReadonlyArray<Certificate>, run: () => Promise<A>): Promise<A> => {
  const before = getCACertificates("default")
  setDefaultCACertificates([...before, ...certificates.map(({ cert }) => cert)])
  try {
    return await run()
  } finally {
    setDefaultCACertificates(before)
  }
}

const loggedIn = (): string => proxy.url.replace("//", `//${LOGIN}@`)

describe("HTTPS_PROXY", () => {
  it("leads an audit through the proxy, which looks the name up, and says what cannot be checked then", async () => {
    const archive = join(folder, "proxied.warc.gz")
    const { code, stderr, stdout } = await runCli([`https://${HOST}`, "--format", "json", "--record", archive], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: loggedIn() }
    })
    expect([code, stderr]).toEqual([
      0,
      "docgauge: requests go through the proxy in HTTPS_PROXY. It looks up names itself, so docgauge can check only names, not that they lead to public addresses.\n"
    ])
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${HOST}:443`]))
    expect([...proxy.logins]).toEqual([`Basic ${Buffer.from(LOGIN).toString("base64")}`])
    expect([...hosts]).toEqual([HOST])
    const recorded = gunzipSync(readFileSync(archive)).toString("latin1")
    for (const text of [stdout, stderr, recorded]) expect(text).not.toMatch(/pr0xy-passw0rd|d29ya2Vy|127\.0\.0\.1/)
  })

  it("may name a proxy that speaks TLS itself", async () => {
    const sealed = await serveForwardProxy({
      login: LOGIN,
      certificate: proxyCertificate,
      leadsTo: (host) => (host === HOST ? site : host === `plain.${HOST}` ? plainSite : null)
    })
    const url = sealed.url.replace("//", `//${LOGIN}@`)
    const [tunnelled, forwarded] = await trusting([certificate, proxyCertificate], async () => [
      await here([`https://${HOST}`, "--quiet", "--format", "json"], { HTTPS_PROXY: url }),
      await here([`http://plain.${HOST}`, "--allow-http", "--quiet", "--format", "json"], { HTTP_PROXY: url })
    ])
    await sealed.close()
    expect([tunnelled.code, tunnelled.stderr, forwarded.code, forwarded.stderr]).toEqual([0, "", 0, ""])
    expect(new Set(sealed.asked)).toEqual(
      new Set([`CONNECT ${HOST}:443`, ...sealed.asked.filter((asked) => asked.startsWith(`GET http://plain.${HOST}/`))])
    )
    expect([...hosts].toSorted()).toEqual([HOST, `plain.${HOST}`])
  })

  it("of a proxy whose certificate is not trusted says so, without its login", async () => {
    const sealed = await serveForwardProxy({
      login: LOGIN,
      certificate: proxyCertificate,
      leadsTo: () => site
    })
    const { code, stderr } = await here([`https://${HOST}`, "--quiet"], {
      HTTPS_PROXY: sealed.url.replace("//", `//${LOGIN}@`)
    })
    await sealed.close()
    expect([code, stderr]).toEqual([3, expect.stringContaining("the proxy in HTTPS_PROXY cannot be used")])
    expect(stderr).not.toContain("passw0rd")
  })

  it("is told from HTTP_PROXY, which plain HTTP goes through with the whole URL", async () => {
    const { code, stderr } = await here([`http://plain.${HOST}`, "--allow-http", "--quiet", "--format", "json"], {
      http_proxy: loggedIn()
    })
    expect([code, stderr]).toEqual([0, ""])
    expect(proxy.asked).toContain(`GET http://plain.${HOST}/`)
    expect([...hosts]).toEqual([`plain.${HOST}`])
  })

  it("does not open private addresses and reserved names, whatever the proxy could reach", async () => {
    for (const host of ["10.0.0.1", "169.254.169.254", "metadata.google.internal", "wiki"]) {
      const { code } = await here([`https://${host}`], { HTTPS_PROXY: loggedIn() })
      expect([host, code]).toEqual([host, host === "wiki" ? expect.any(Number) : 2])
      expect(code).not.toBe(0)
    }
    expect(proxy.asked).toEqual([])
  })

  it("is not used for hosts in NO_PROXY", async () => {
    const named = [
      vi.spyOn(Resolver.prototype, "resolve4").mockResolvedValue(["127.0.0.1"]),
      vi.spyOn(Resolver.prototype, "resolve6").mockResolvedValue([])
    ]
    const { code, stderr } = await here(
      [`http://${HOST}:${plainSite.port}`, "--allow-http", "--allow-private", "--format", "json"],
      { HTTP_PROXY: loggedIn(), NO_PROXY: "behind-a-proxy.com" }
    )
    for (const spy of named) spy.mockRestore()
    expect([code, stderr, proxy.asked, [...hosts]]).toEqual([0, "", [], [`${HOST}:${plainSite.port}`]])
  })

  it("is not used for this machine, or where --resolve says the address", async () => {
    const own = await here(
      [`http://127.0.0.1:${plainSite.port}`, "--allow-http", "--allow-private", "--format", "json"],
      { HTTP_PROXY: loggedIn() }
    )
    const rule = `${HOST}:${site.port}:127.0.0.1:${site.port}`
    const excepted = await trusting([certificate], () =>
      here([`https://${HOST}:${site.port}`, "--resolve", rule, "--format", "json"], { HTTPS_PROXY: loggedIn() })
    )
    expect([own.code, own.stderr, excepted.code, excepted.stderr]).toEqual([0, "", 0, ""])
    expect(proxy.asked).toEqual([])
  })

  it.each([
    [
      "has a wrong login",
      () => proxy.url.replace("//", "//worker:wr0ng-passw0rd@"),
      "the proxy refuses the login in HTTPS_PROXY"
    ],
    ["has no login", () => proxy.url, "the proxy asks for a login, and HTTPS_PROXY has none"],
    [
      "names a port where nothing listens",
      () => "http://worker:hush-hush@127.0.0.1:9",
      "the proxy in HTTPS_PROXY cannot be used: the connection was refused"
    ]
  ])("that %s is told in one sentence, without its login", async (_, url, message) => {
    const { code, stderr, stdout } = await here([`https://${HOST}`, "--quiet"], { HTTPS_PROXY: url() })
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/passw0rd|hush/)
  })

  it("that refuses the login of plain HTTP fails the audit: its answer is not the site's", async () => {
    const { code, stderr, stdout } = await here([`http://plain.${HOST}`, "--allow-http", "--quiet"], {
      HTTP_PROXY: proxy.url.replace("//", "//worker:wr0ng-passw0rd@")
    })
    expect([code, stdout, stderr]).toEqual([
      3,
      "",
      expect.stringContaining("the proxy refuses the login in HTTP_PROXY")
    ])
    expect(stderr).not.toContain("passw0rd")
  })

  it("gets its login into no archive if its error page quotes the request", async () => {
    const archive = join(folder, "echoing.warc.gz")
    const { stderr, stdout } = await here([`http://unknown.${HOST}`, "--allow-http", "--quiet", "--record", archive], {
      HTTP_PROXY: loggedIn()
    })
    const recorded = gunzipSync(readFileSync(archive)).toString("latin1")
    expect(recorded).toContain("REDACTED")
    for (const text of [stdout, stderr, recorded]) expect(text).not.toMatch(/pr0xy-passw0rd|d29ya2Vy/)
  })

  it("that ends the connection is named without its login", async () => {
    const dropping = await serveForwardProxy({ login: LOGIN, leadsTo: () => null, drops: true })
    const { code, stderr } = await here([`https://${HOST}`, "--quiet"], {
      HTTPS_PROXY: dropping.url.replace("//", `//${LOGIN}@`)
    })
    await dropping.close()
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(
        `the proxy ${new URL(dropping.url).host} did not connect to the site: the connection ended before the answer did`
      )
    ])
    expect(stderr).not.toContain("passw0rd")
  })

  it("is told once where a configuration names several sites, unless --quiet", async () => {
    const cwd = mkdtempSync(join(folder, "several-"))
    writeFileSync(join(cwd, "docgauge.yaml"), `sites:\n  - url: https://${HOST}\n  - url: https://${HOST}/docs\n`)
    const env = { HTTPS_PROXY: loggedIn() }
    const [told, quiet] = await trusting([certificate], async () => [
      await here([], env, cwd),
      await here(["--quiet"], env, cwd)
    ])
    expect(told.stderr.split("requests go through the proxy in HTTPS_PROXY").length).toBe(2)
    expect(quiet.stderr).not.toContain("requests go through the proxy")
  })

  it("that does not know the host says so", async () => {
    const { code, stderr } = await here(["https://unknown.behind-a-proxy.com", "--quiet"], {
      HTTPS_PROXY: loggedIn()
    })
    expect([code, stderr]).toEqual([3, expect.stringContaining("the proxy answered 502 instead of connecting")])
  })

  it("leads to the service that --server names", async () => {
    const { code, stderr } = await here(["https://docs.example.com", "--server", `http://plain.${HOST}`, "--quiet"], {
      HTTP_PROXY: loggedIn()
    })
    expect([code, stderr]).toEqual([3, expect.stringContaining(`The service is http://plain.${HOST}.`)])
    expect(proxy.asked[0]).toContain(`plain.${HOST}`)
    expect([...hosts]).toEqual([`plain.${HOST}`])
  })

  it("leads the audits of docgauge mcp through the proxy", async () => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, "mcp", "--allow-http"],
        stderr: "ignore",
        env: { ...TEST_ENVIRONMENT, PATH: process.env["PATH"] ?? "", HTTP_PROXY: loggedIn() }
      })
    )
    try {
      const audited = await client.callTool({ name: "audit", arguments: { base_url: `http://plain.${HOST}` } })
      expect(audited.isError).not.toBe(true)
      expect(JSON.stringify(audited)).not.toContain("pr0xy-passw0rd")
    } finally {
      await client.close()
    }
    expect(proxy.asked).toContain(`GET http://plain.${HOST}/`)
  })

  it("that is no URL of an HTTP proxy is refused before anything is fetched", async () => {
    const { code, stderr } = await here([`https://${HOST}`], {
      HTTPS_PROXY: "socks5://me:hush@proxy.example"
    })
    expect([code, stderr]).toEqual([
      2,
      "docgauge: HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.example.com:3128. Nothing was audited.\n"
    ])
  })
})

describe("a program that audits", () => {
  it("ignores the proxies of its environment unless it asks for them", async () => {
    process.env["HTTP_PROXY"] = loggedIn()
    try {
      const options = { allowHttp: true, timeoutSeconds: 20 }
      expect(await audit(`http://127.0.0.1:${plainSite.port}`, { ...options, allowPrivate: true })).toMatchObject({
        max_score: 100
      })
      expect(proxy.asked).toEqual([])
      expect(await audit(`http://plain.${HOST}`, { ...options, environmentProxies: true })).toMatchObject({
        base_url: `http://plain.${HOST}`
      })
      expect(proxy.asked).toContain(`GET http://plain.${HOST}/`)
    } finally {
      delete process.env["HTTP_PROXY"]
    }
  })
})

describe("a service", () => {
  it("never goes through the proxies of its environment", async () => {
    const sites = await serveSmallSites()
    const service = new ServiceProcess({
      program: PROGRAM,
      env: {
        ...LIMITLESS,
        ...sites.env,
        DOCGAUGE_DATABASE_URL: "memory:",
        HTTP_PROXY: loggedIn(),
        HTTPS_PROXY: loggedIn()
      }
    })
    try {
      const response = await fetch(`${await service.url}/audit`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ base_url: smallSite("proxy") })
      })
      expect(response.status).toBe(200)
    } finally {
      await service.kill()
      await sites.close()
    }
    expect(proxy.asked).toEqual([])
  })
})

describe("the certificate of a service that --server names and is not trusted", () => {
  it("is told with how to trust it, as that of a proxy that reads TLS would be", async () => {
    const { code, stderr } = await here(
      [`https://${HOST}`, "--server", `https://localhost:${site.port}`, "--quiet"],
      {}
    )
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining("could not be reached: the certificate is self-signed. If a proxy or a CA of your own")
    ])
    expect(stderr).toContain("NODE_EXTRA_CA_CERTS")
  })
})
