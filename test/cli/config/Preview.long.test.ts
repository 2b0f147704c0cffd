import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { gunzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { httpServer } from "../../evidence/LoopbackServers.ts"
import { runCli } from "../RunCli.ts"
import { runHere } from "../RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-preview-"))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRET = "s3cret-t0ken"
process.env["DOCGAUGE_TEST_TOKEN"] = SECRET
process.env["DOCGAUGE_TEST_USER"] = "docs"
process.env["DOCGAUGE_TEST_UTF8"] = "pässwörd-Ω-密"
process.env["DOCGAUGE_TEST_BREAK"] = `${SECRET}\n`

const PAGE = `<!doctype html><html lang="en"><title>Orders</title><main><h1>Orders</h1>${"<p>How to place an order, and what comes back when it is accepted.</p>".repeat(10)}<a href="/away">Elsewhere</a></main></html>`

/** A site behind a login, one page of which redirects to another host; what each host was sent as `Authorization`. */
const preview = async () => {
  const seen: { own: Set<string>; other: Set<string> } = { own: new Set(), other: new Set() }
  const other = await httpServer((request, response) => {
    seen.other.add(request.headers.authorization ?? "none")
    response.end(PAGE)
  })
  const own = await httpServer((request, response) => {
    seen.own.add(request.headers.authorization ?? "none")
    if (request.headers.authorization === undefined) response.writeHead(401).end()
    else if (request.url === "/away")
      response.writeHead(302, { location: `http://localhost.test:${other.port}/` }).end()
    else if (request.url === "/") response.writeHead(200, { "content-type": "text/html" }).end(PAGE)
    else response.writeHead(404).end()
  })
  return { own, other, seen, close: () => Promise.all([own.close(), other.close()]) }
}

/** A site that quotes the login of each request in headers, page, links and redirects, in several forms. */
const echoing = async () => {
  const echoed = new Set<string>()
  const server = await httpServer((request, response) => {
    const login = request.headers.authorization ?? request.headers.cookie ?? ""
    const forms = [
      login,
      encodeURIComponent(login),
      Buffer.from(login).toString("base64"),
      Buffer.from(login.split(" ")[1] ?? "", "base64").toString("utf8")
    ]
    for (const form of forms) if (form.length > 11) echoed.add(form)
    const [token = ""] = /s3cret-t0ken/.exec(login) ?? []
    response.setHeader("x-echo", login).setHeader("link", `</docs?login=${encodeURIComponent(login)}>; rel="next"`)
    if (request.url === "/docs/moved")
      response.writeHead(302, { location: `/docs?token=${encodeURIComponent(login)}` }).end()
    else if (request.url === "/robots.txt")
      response.writeHead(200, { "content-type": "text/plain" }).end(`# ${login}\nUser-agent: *\nAllow: /\n`)
    else {
      response.writeHead(request.url?.startsWith("/docs") === true ? 200 : 404, { "content-type": "text/html" })
      response.end(
        PAGE.replace(
          "<h1>Orders</h1>",
          `<h1>Orders ${login}</h1><p>${forms.join(" ")} ${token}</p><a href="/docs/moved">Moved</a><a href="/docs/${encodeURIComponent(token)}">${token}</a>`
        )
      )
    }
  })
  return { ...server, echoed }
}

describe("a preview behind a login", () => {
  it.each([
    [["--header", "Authorization: Bearer ${DOCGAUGE_TEST_TOKEN}"], `Bearer ${SECRET}`],
    [
      ["--basic-auth", "${DOCGAUGE_TEST_USER}:${DOCGAUGE_TEST_TOKEN}"],
      `Basic ${Buffer.from(`docs:${SECRET}`).toString("base64")}`
    ],
    [
      ["--basic-auth", "${DOCGAUGE_TEST_USER}:${DOCGAUGE_TEST_UTF8}"],
      `Basic ${Buffer.from("docs:pässwörd-Ω-密", "utf8").toString("base64")}`
    ]
  ])("is audited with %j, which no other host, report or archive gets", async (flags, expected) => {
    const { close, other, own, seen } = await preview()
    const archive = join(folder, "preview.warc.gz")
    const { code, stderr, stdout } = await runCli([
      `http://docs.localhost.test:${own.port}`,
      "--allow-http",
      "--format",
      "json",
      "--record",
      archive,
      ...flags,
      "--resolve",
      `docs.localhost.test:${own.port}:127.0.0.1:${own.port}`,
      "--resolve",
      `localhost.test:${other.port}:127.0.0.1:${other.port}`
    ])
    await close()
    expect([code, stderr]).toEqual([0, ""])
    expect([...seen.own]).toEqual([expected])
    expect([...seen.other]).toEqual(["none"])
    const recorded = gunzipSync(readFileSync(archive)).toString("latin1")
    for (const text of [stdout, recorded]) for (const secret of [SECRET, expected]) expect(text).not.toContain(secret)
  })

  it.each([
    [["--header", "Authorization: Bearer ${DOCGAUGE_TEST_TOKEN}"]],
    [["--basic-auth", "${DOCGAUGE_TEST_USER}:${DOCGAUGE_TEST_TOKEN}"]],
    [["--header", "Cookie: session=${DOCGAUGE_TEST_TOKEN}; theme=dark"]]
  ])("that echoes the headers of a request gets %j into no report and no archive", async (flags) => {
    const { close, echoed, port } = await echoing()
    const archive = join(folder, "echo.warc.gz")
    const { code, stderr, stdout } = await runHere([
      `http://127.0.0.1:${port}/docs`,
      "--allow-http",
      "--allow-private",
      "--format",
      "json",
      "--record",
      archive,
      ...flags
    ])
    await close()
    expect([code, stderr]).toEqual([0, ""])
    const secrets = [...echoed, SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString("base64")]
    expect(secrets.length).toBeGreaterThan(3)
    const recorded = gunzipSync(readFileSync(archive)).toString("latin1")
    for (const text of [stdout, recorded]) expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect(recorded).toContain("<h1>Orders REDACTED</h1>")
  })

  it("is audited as it is, whatever its pages have in common with headers that are no logins", async () => {
    process.env["DOCGAUGE_TEST_HOST"] = "docs.example.com"
    const page = PAGE.replace(
      "</main>",
      '<a href="https://docs.example.com/guide">Guide</a><a href="/openapi.json">API</a><a href="/docs?theme=dark-mode">Dark</a></main>'
    )
    const { close, port } = await httpServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(page)
    })
    const archive = join(folder, "places.warc.gz")
    const { code } = await runHere([
      `http://127.0.0.1:${port}/docs`,
      "--allow-http",
      "--allow-private",
      "--quiet",
      "--record",
      archive,
      "--header",
      "X-Forwarded-Host: ${DOCGAUGE_TEST_HOST}",
      "--header",
      "Referer: https://${DOCGAUGE_TEST_HOST}/guide",
      "--header",
      "Cookie: v=openapi.json",
      "--header",
      "X-Options: theme=dark-mode"
    ])
    await close()
    expect(code).toBe(0)
    const recorded = gunzipSync(readFileSync(archive)).toString("latin1")
    expect(recorded).toContain(page)
    expect(recorded).not.toContain("REDACTED")
  })

  it("is not reached without one, and says so", async () => {
    const { close, own } = await preview()
    const { code, stderr } = await runHere([`http://127.0.0.1:${own.port}`, "--allow-http", "--allow-private"])
    await close()
    expect([code, stderr]).toEqual([3, expect.stringContaining("401")])
  })

  it.each([
    [["--header", "Authorization"], "--header takes a name and a value"],
    [["--header", "User-Agent: other"], "the header User-Agent cannot be set: docgauge sends its own."],
    [
      ["--header", "X-Login: ${DOCGAUGE_TEST_NONE}"],
      "the header X-Login needs the environment variable DOCGAUGE_TEST_NONE, which is not set."
    ],
    [["--basic-auth", "docs:password"], "basic authentication takes its values from the environment"],
    [["--basic-auth", "${DOCGAUGE_TEST_TOKEN}"], "basic authentication needs a user and a password"],
    [
      ["--basic-auth", "${DOCGAUGE_TEST_USER}:${DOCGAUGE_TEST_BREAK}"],
      "the user or the password of basic authentication has a control character"
    ],
    [
      ["--header", "X-Login: ${DOCGAUGE_TEST_BREAK}"],
      "the value of the header X-Login has characters that a header cannot have"
    ],
    [
      ["--header", "X-Login: ${DOCGAUGE_TEST_UTF8}"],
      "the value of the header X-Login has characters that a header cannot have"
    ],
    [["--header", "Authorization: x", "--basic-auth", "${DOCGAUGE_TEST_USER}:x"], "cannot be used together"]
  ])("refuses %j, without printing a value", async (flags, message) => {
    const { code, stderr } = await runHere(["https://docs.example.com", "--resolve", "*:443:127.0.0.1:9", ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr).not.toContain(SECRET)
  })
})
