import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type ClientHttp2Session, connect } from "node:http2"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { connect as connectTls } from "node:tls"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isAvailable } from "../harness/Availability.ts"
import { freePort } from "../harness/port/FreePort.ts"
import { Dance } from "../server/oauth/Dance.ts"
import { startService, type TestService } from "../server/TestService.ts"

/*
 * A service behind the configurations of deploy/, over TLS and HTTP/2.
 */

const DEPLOY = join(import.meta.dirname, "../../deploy")

/** What the configuration of a proxy is filled in with. */
interface Behind {
  readonly folder: string
  readonly port: number
  readonly plainPort: number
  readonly servicePort: number
}

const nginx = ({ folder, plainPort, port, servicePort }: Behind): ReadonlyArray<string> => {
  const site = readFileSync(join(DEPLOY, "nginx.conf"), "utf8")
    .replaceAll("DOCGAUGE.EXAMPLE.COM", "localhost")
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replace("127.0.0.1:8080", `127.0.0.1:${servicePort}`)
    .replaceAll("/etc/ssl/DOCGAUGE", join(folder, "tls"))
  writeFileSync(join(folder, "docgauge.conf"), site)
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`)
  writeFileSync(
    join(folder, "nginx.conf"),
    [
      "daemon off;",
      ...(process.getuid?.() === 0 ? ["user root;"] : []),
      `pid ${folder}/nginx.pid;`,
      "error_log stderr;",
      "events {}",
      `http { access_log off; ${paths.join(" ")} include ${folder}/docgauge.conf; }`
    ].join("\n")
  )
  return ["nginx", "-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")]
}

const caddy = ({ folder, port, servicePort }: Behind): ReadonlyArray<string> => {
  const site = readFileSync(join(DEPLOY, "Caddyfile"), "utf8")
    .replace(/^DOCGAUGE\.EXAMPLE\.COM \{/mu, `https://localhost:${port} {\n\ttls ${folder}/tls.pem ${folder}/tls.key`)
    .replace("127.0.0.1:8080", `127.0.0.1:${servicePort}`)
  const file = join(folder, "Caddyfile")
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n${site}`)
  return ["caddy", "run", "--config", file, "--adapter", "caddyfile"]
}

const isThere = (command: string, flag: string): boolean => spawnSync(command, [flag]).status === 0

/** Waits until the proxy listens on the port. */
const listening = async (proxy: ChildProcess, port: number): Promise<void> => {
  let problem = ""
  proxy.stderr?.on("data", (part) => {
    problem += String(part)
  })
  while (proxy.exitCode === null) {
    const socket = createConnection(port, "127.0.0.1")
    const opened = await once(socket, "connect").then(
      () => true,
      () => false
    )
    socket.destroy()
    if (opened) return
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error(`the proxy ended: ${problem}`)
}

describe.each([
  { name: "nginx", command: nginx, found: isAvailable("nginx", isThere("nginx", "-v")) },
  { name: "Caddy", command: caddy, found: isAvailable("caddy", isThere("caddy", "version")) }
])("a service behind $name, as in deploy/", ({ command, found, name }) => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-proxy-"))
  let service: TestService
  let proxy: ChildProcess
  let base = ""
  let plainPort = 0

  beforeAll(async () => {
    if (!found) return
    const port = await freePort()
    plainPort = await freePort()
    base = `https://localhost:${port}`
    service = await startService({
      env: { DOCGAUGE_BASE_URL: base, DOCGAUGE_TRUST_PROXY: "1", DOCGAUGE_BROWSE_RATE: "2/1h" }
    })
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", "/CN=localhost", "-keyout", join(folder, "tls.key"), "-out", join(folder, "tls.pem")]
      ],
      { stdio: "ignore" }
    )
    const [program = "", ...args] = command({ folder, port, plainPort, servicePort: service.port })
    proxy = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: folder } })
    await listening(proxy, port)
  })
  afterAll(async () => {
    if (found) {
      proxy.kill()
      await once(proxy, "exit")
      await service.stop()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  interface Told {
    readonly status: number
    readonly headers: Readonly<Record<string, unknown>>
    readonly body: string
  }

  const session = (localAddress = "127.0.0.1"): ClientHttp2Session =>
    connect(base, {
      createConnection: ({ port }) =>
        connectTls({
          ...{ host: "127.0.0.1", port: Number(port), localAddress, servername: "localhost" },
          ...{ ALPNProtocols: ["h2"], rejectUnauthorized: false }
        })
    })

  const ask = async (
    client: ClientHttp2Session,
    headers: Readonly<Record<string, string>>,
    body = ""
  ): Promise<Told> => {
    const stream = client.request(headers, { endStream: body === "" })
    if (body !== "") stream.end(body)
    const [told]: ReadonlyArray<Readonly<Record<string, unknown>>> = await once(stream, "response")
    let text = ""
    for await (const part of stream) text += String(part)
    return { status: Number(told?.[":status"]), headers: told ?? {}, body: text }
  }

  it.skipIf(!found)("answers over HTTP/2 under the name of its base URL", async () => {
    const client = session()
    const page = await ask(client, { ":path": "/openapi.json" })
    expect([page.status, client.alpnProtocol]).toEqual([200, "h2"])
    expect(page.body).toContain(base)
    expect((await ask(client, { ":path": "/metrics" })).status).toBe(403)
    client.close()
    if (name !== "nginx") return
    const { headers, status } = await fetch(`http://127.0.0.1:${plainPort}/r/x`, {
      redirect: "manual",
      headers: { host: "localhost" }
    })
    expect([status, headers.get("location")]).toEqual([308, "https://127.0.0.1/r/x"])
  })

  it.skipIf(!found)(
    "passes the headers of a report on a site with the longest URL, which its signature has",
    async () => {
      const client = session()
      const url = `https://docs.headers.dev/${"x".repeat(2_020)}`
      const headers = { ":path": "/audit", ":method": "POST", "content-type": "application/json" }
      const { headers: told, status } = await ask(client, headers, JSON.stringify({ base_url: url }))
      expect([status, String(told["x-audit-signature"]).length > 3_000]).toEqual([200, true])
      client.close()
    }
  )

  it.skipIf(!found)("counts each client by its own address, whatever address the client names", async () => {
    const [one, other] = [session("127.0.0.1"), session("127.0.0.2")]
    const browse = async (client: ClientHttp2Session, named: string) =>
      (await ask(client, { ":path": "/api/public/browse/summary", "x-forwarded-for": named })).status
    expect([await browse(one, "198.51.100.1"), await browse(one, "198.51.100.2")]).toEqual([200, 200])
    expect(await browse(one, "198.51.100.3")).toBe(429)
    expect(await browse(other, "127.0.0.1")).toBe(200)
    one.close()
    other.close()
  })

  it.skipIf(!found)(
    "sends the progress of an audit over MCP while the audit is under way",
    { timeout: 60_000 },
    async () => {
      // The certificate is the test's own.
      process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
      try {
        const dance = new Dance(base)
        const { access_token: token } = await dance.authorized()
        const opened = await dance.message(token)
        const call = {
          jsonrpc: "2.0",
          id: 2,
          method: "tools/call",
          params: {
            name: "audit",
            arguments: { base_url: "https://strolling.proxy.dev" },
            _meta: { progressToken: "p" }
          }
        }
        const answer = await dance.message(token, call, {
          "mcp-session-id": opened.headers.get("mcp-session-id") ?? ""
        })
        const parts = answer.body?.pipeThrough(new TextDecoderStream()) ?? new ReadableStream<string>()
        let text = ""
        for await (const part of parts) {
          // The audit goes on only once its progress has arrived.
          if (text === "") for (let step = 0; step < 3; step++) service.auditor.step()
          text += part
        }
        expect(text).toMatch(/notifications\/progress[\s\S]*"status":"done"/)
      } finally {
        delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
      }
    }
  )

  // Longer than the 60 seconds after which proxies give up by default.
  it.skipIf(!found)("waits for a synchronous audit of more than a minute", { timeout: 120_000 }, async () => {
    const client = session()
    const released = new Promise<void>((done) =>
      setTimeout(() => {
        service.auditor.release()
        done()
      }, 62_000)
    )
    const headers = { ":path": "/audit", ":method": "POST", "content-type": "application/json" }
    const audited = await ask(client, headers, JSON.stringify({ base_url: "https://held.minute.dev" }))
    expect([audited.status, audited.body]).toEqual([200, expect.stringContaining('"total_score"')])
    await released
    client.close()
  })
})
