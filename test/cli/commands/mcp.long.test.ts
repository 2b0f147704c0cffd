import { Client } from "@modelcontextprotocol/client"
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type FakeServer, serveFakeSite } from "../../../engine/testing/FakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../../golden/typical/Site.ts"
import { isAlive } from "../../chaos/ProcessTree.ts"
import { httpServer } from "../../evidence/LoopbackServers.ts"
import { HOUSE_RUBRIC_HEADER } from "../../harness/HouseRubric.ts"
import { BUILD, PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { TEST_ENVIRONMENT } from "../../harness/program/CompileCache.ts"
import { McpProcess } from "../McpProcess.ts"

const { origin, pathname } = new URL(TYPICAL_URL)
const scope = Scope.makeUnsafe()
const serve = (delayMs: number) =>
  Effect.runPromise(Effect.provideService(serveFakeSite(typicalSite(), { host: origin, delayMs }), Scope.Scope, scope))

/** A module that writes the address of each module after it to stderr. */
const TELL_WHAT_IS_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs"
  import { registerHooks } from "node:module"
  registerHooks({ load: (url, context, next) => { writeSync(2, "loaded " + url + "\\n"); return next(url, context) } })
`)}`

/** An external plugin, which has the package's copy of Effect. */
const TITLED = `
import { count, define, Effect, NO_REQUESTS, Schema } from ${JSON.stringify(pathToFileURL(join(BUILD, "lib/plugin.js")).href)}
export const titled = define({
  id: "titled",
  revision: 1,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: { titled: count("pages with a title") },
  measure: Effect.fn("titled")(function*(site) {
    const { pages } = yield* site.sample
    return { facts: { titled: pages.filter(({ title }) => title !== "").length }, findings: [{ good: true, message: "Pages have titles.", proof: site.base.exchange }] }
  })
})`

const LOCAL = ["--allow-http", "--allow-private"]

/** A client gives a call up after a minute, which is short on a busy machine. */
const PATIENT = { timeout: 600_000 }

let site: FakeServer
let slowSite: FakeServer
beforeAll(async () => {
  ;[site, slowSite] = [await serve(0), await serve(300)]
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

let running: McpProcess | null = null
const start = (...args: ReadonlyArray<string>): McpProcess => (running = new McpProcess(args))
afterEach(() => running?.kill())

/** Resolves once a site has not been sent a request for two seconds. */
const quiet = async (server: FakeServer): Promise<void> => {
  for (let requests = -1; server.requests() !== requests;) {
    requests = server.requests()
    await new Promise((wake) => {
      setTimeout(wake, 2_000)
    })
  }
}

const audit = (id: number, baseUrl: string, meta: object = {}) => ({
  id,
  method: "tools/call",
  params: { name: "audit", arguments: { base_url: baseUrl }, _meta: meta }
})

const isUnderWay = (structuredContent: unknown): boolean =>
  /"status":"(?:pending|running)"/.test(JSON.stringify(structuredContent))

/** The result of an audit. On a busy machine the call ends before the audit does: then the report is asked for, as the result says. */
const audited = async (server: McpProcess, id: number) => {
  let { result } = await server.answer(id)
  for (let asked = 1_000 * id; isUnderWay(result?.["structuredContent"]); asked += 1) {
    const [, runId] = /"run_id":"([^"]+)"/.exec(JSON.stringify(result)) ?? []
    server.send({ id: asked, method: "tools/call", params: { name: "get_report", arguments: { run_id: runId } } })
    ;({ result } = await server.answer(asked))
  }
  return result
}

/** Node's options with which audit processes hang in an endless loop once they open a connection. */
const STUCK_AUDITS = `--import=data:text/javascript,${encodeURIComponent(`
  const hang = () => {
    process.getBuiltinModule("node:fs").writeFileSync(process.env.HOME + "/stuck", String(process.pid))
    for (;;) Math.sqrt(2)
  }
  if (process.argv[1]?.includes("AuditProcessMain")) process.getBuiltinModule("node:diagnostics_channel").subscribe("net.client.socket", hang)
`)}`

describe("docgauge mcp with the official client", () => {
  it("lists its tools, audits with progress, and returns the report again", async () => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, "mcp", ...LOCAL],
        stderr: "ignore",
        // The transport hands on next to nothing of this process's environment.
        env: { ...getDefaultEnvironment(), ...TEST_ENVIRONMENT }
      }),
      PATIENT
    )
    try {
      const { tools } = await client.listTools(undefined, PATIENT)
      expect(tools.map(({ name }) => name)).toEqual(["audit", "get_report"])

      const seen: Array<number> = []
      const first = await client.callTool(
        { name: "audit", arguments: { base_url: site.origin + pathname } },
        { ...PATIENT, onprogress: ({ progress }) => seen.push(progress) }
      )
      expect(first.isError).not.toBe(true)
      const { run_id: runId } = first.structuredContent as { readonly run_id: string }
      const askFor = (format: "markdown" | "json" | "plan") =>
        client.callTool({ name: "get_report", arguments: { run_id: runId, format } }, PATIENT)
      // On a busy machine the call ends before the audit does: then the report is asked for, as the result says.
      let audited = first
      while (isUnderWay(audited.structuredContent)) audited = await askFor("markdown")
      expect(seen.length).toBeGreaterThan(1)
      expect(seen).toEqual(seen.toSorted((one, other) => one - other))
      const [content] = audited.content
      const text = content?.type === "text" ? content.text : ""
      expect(text.split("\n", 1)[0]).toMatch(/\b\d{1,3}\/100\b/)
      expect(text.endsWith(`\n\nrun_id: ${runId}`)).toBe(true)
      const markdown = text.slice(0, -`\nrun_id: ${runId}`.length)
      expect(audited.structuredContent).toMatchObject({ status: "done", report: markdown })

      const again = await askFor("json")
      const { report } = again.structuredContent as { readonly report: { readonly criteria: ReadonlyArray<unknown> } }
      expect(report.criteria).toHaveLength(30)

      const planned = await askFor("plan")
      const [plan] = planned.content
      expect(plan?.type === "text" ? plan.text : "").toMatch(
        / → (?:at least )?\d+ of 100 for \d+ of \d+ pages if you publish these \d+ files[^]*npx docgauge fix /
      )

      const resource = await client.readResource({ uri: `docgauge://runs/${runId}` })
      expect(resource.contents[0]).toMatchObject({ mimeType: "text/markdown", text: markdown })

      const refused = await client.callTool({ name: "audit", arguments: { base_url: "ftp://docs.example.com" } })
      expect([refused.isError, refused.structuredContent]).toEqual([true, undefined])
      expect(JSON.stringify(refused.content)).toContain("Error invalid_base_url: ")

      const prompt = await client.getPrompt({
        name: "make_documentation_agent_ready",
        arguments: { base_url: site.origin }
      })
      expect(JSON.stringify(prompt.messages)).toContain("Call the tool `audit`")
    } finally {
      await client.close()
    }
  })
})

describe("docgauge mcp, line by line", () => {
  it("answers initialize before anything that audits is loaded", async () => {
    // Only the source has a file for each module.
    const server = (running = new McpProcess([], {
      cli: resolve(import.meta.dirname, "../../../cli/main.ts"),
      node: ["--import", TELL_WHAT_IS_LOADED]
    }))
    await server.initialize()
    const loaded = () => server.stderr.split("\n").filter((line) => line.startsWith("loaded "))
    // What it tells arrives by a pipe of its own, which may be later than the answer.
    await expect.poll(() => loaded().length).toBeGreaterThan(100)
    expect(
      loaded().filter((line) =>
        /\/plugins\/|\/engine\/site\/|node_modules\/(?:cheerio|yaml|undici|parse5)\//.test(line)
      )
    ).toEqual([])
    await server.end()
  })

  it("writes only protocol messages to stdout, whatever the input, and keeps reading", async () => {
    const server = start()
    await server.initialize()
    server.write("not json\n")
    server.write('{"jsonrpc":"2.0","id":1,\n')
    server.write(Uint8Array.of(0xff, 0xfe, 0x00, 0x0a))
    server.write(`${"[".repeat(100_000)}\n`)
    server.write(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"${"y".repeat(1_100_000)}"}}\n`)
    server.write('\n  \n42\n"text"\n[]\n{}\n')
    server.send({ id: 3, method: "no/such/method" })
    server.send({ id: 4, method: "tools/call", params: { name: "no_such_tool" } })
    server.send({ id: 5, method: "ping" })
    expect(await server.answer(5)).toEqual({ jsonrpc: "2.0", id: 5, result: {} })
    expect((await server.answer(3)).error?.code).toBe(-32_601)
    expect((await server.answer(4)).error?.code).toBe(-32_602)
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
    expect(server.lines.filter((line) => line.includes("-32700")).length).toBeGreaterThanOrEqual(7)
    expect(await server.end()).toBe(0)
  })

  it("stops a cancelled audit without a response", async () => {
    const server = start(...LOCAL)
    await server.initialize()
    const before = { slow: slowSite.requests(), fast: site.requests() }
    server.send(audit(1, slowSite.origin + pathname, { progressToken: "p" }))
    await server.message(({ method }) => method === "notifications/progress")
    server.send({ method: "notifications/cancelled", params: { requestId: 1, reason: "changed my mind" } })
    server.send({ id: 2, method: "ping" })
    await server.answer(2)
    await quiet(slowSite)
    const asked = slowSite.requests() - before.slow
    server.send(audit(3, site.origin + pathname))
    await server.answer(3)
    expect(asked).toBeLessThan(site.requests() - before.fast)
    expect(server.lines.some((line) => line.includes('"id":1'))).toBe(false)
  })

  it("ends soon after SIGINT while it audits, its audit process with it, with 130", async () => {
    // A site that never answers: the audit takes more than 30 seconds.
    const silent = await httpServer(() => undefined)
    const server = start(...LOCAL)
    await server.initialize()
    server.send(audit(1, `http://127.0.0.1:${silent.port}`))
    await expect.poll(silent.open, { timeout: 60_000 }).toBeGreaterThan(0)
    const since = performance.now()
    server.signal("SIGINT")
    expect(await server.exited).toBe(130)
    expect(performance.now() - since).toBeLessThan(20_000)
    await expect.poll(silent.open, { timeout: 60_000 }).toBe(0)
    await silent.close()
  })

  it.each([
    ["stdin closes", 0, (server: McpProcess) => server.end()],
    [
      "SIGTERM",
      143,
      (server: McpProcess) => {
        server.signal("SIGTERM")
        return server.exited
      }
    ]
  ] as const)(
    "ends soon after %s while its audit process is stuck in a loop, that process with it, with %i",
    async (_, code, end) => {
      const home = mkdtempSync(join(tmpdir(), "docgauge-stuck-"))
      const mark = join(home, "stuck")
      const server = (running = new McpProcess(LOCAL, { env: { NODE_OPTIONS: STUCK_AUDITS, HOME: home } }))
      await server.initialize()
      server.send(audit(1, site.origin + pathname))
      await expect.poll(() => existsSync(mark) && readFileSync(mark, "utf8") !== "", { timeout: 60_000 }).toBe(true)
      const pid = Number(readFileSync(mark, "utf8"))
      const since = performance.now()
      expect(await end(server)).toBe(code)
      expect(performance.now() - since).toBeLessThan(20_000)
      await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
      rmSync(home, { recursive: true })
    }
  )

  it("joins a running audit of the same URL", async () => {
    const server = start(...LOCAL)
    await server.initialize()
    const before = slowSite.requests()
    server.send(audit(1, slowSite.origin + pathname))
    server.send(audit(2, slowSite.origin + pathname))
    expect(await audited(server, 2)).toEqual(await audited(server, 1))
    expect(slowSite.requests() - before).toBeLessThan(200)
  })

  it("refuses a URL that may not be audited with a tool error that says what to do", async () => {
    const server = start()
    await server.initialize()
    server.send(audit(1, "http://docs.example.com"))
    server.send(audit(2, "https://127.0.0.1"))
    server.send({ id: 3, method: "tools/call", params: { name: "audit", arguments: {} } })
    server.send({ id: 4, method: "tools/call", params: { name: "get_report", arguments: { run_id: "x" } } })
    const codes = await Promise.all(
      [1, 2, 3, 4].map(async (id) => {
        const { result } = await server.answer(id)
        return [result?.["isError"], /"text":"Error (\w+): /.exec(JSON.stringify(result))?.[1]]
      })
    )
    expect(codes).toEqual([
      [true, "http_not_supported"],
      [true, "not_public_address"],
      [true, "invalid_arguments"],
      [true, "not_found"]
    ])
  })

  it("audits by a rubric with plugins of its own only with --allow-plugins", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-mcp-"))
    const rubric = join(folder, "rubric.yaml")
    writeFileSync(join(folder, "titled.mjs"), TITLED)
    writeFileSync(
      rubric,
      `${HOUSE_RUBRIC_HEADER}      - id: A1
        plugin: ./titled.mjs
        revision: 1
        title: Pages have titles
        points: 100
        params: {}
        levels: [{ status: present, earns: 100, when: facts.titled >= 1 }, { status: absent, earns: 0 }]
        why: Readers look at titles first.
        how: Titles are counted.
        remedy: { effort: low, steps: [Write titles.] }
        references: [{ title: Titles, url: "https://rules.example.com/titles" }]
changes:
  - { version: 1.0.0, date: 2026-11-21, what: First release., criteria: all }
`
    )
    const refused = start("--rubric", rubric)
    expect(await refused.exited).toBe(2)
    expect(refused.stderr).toContain("--allow-plugins")
    const server = start("--rubric", rubric, "--allow-plugins", ...LOCAL)
    await server.initialize()
    server.send(audit(1, site.origin + pathname))
    const result = await audited(server, 1)
    rmSync(folder, { recursive: true })
    expect(JSON.stringify(result)).toContain("100/100 (Measured)")
  })

  it("exits with 2 if the rubric is invalid", async () => {
    const server = start("--rubric", "/nonexistent.yaml")
    expect(await server.exited).toBe(2)
    expect(server.stderr).toContain("cannot read")
  })
})
