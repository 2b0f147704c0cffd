import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { execFile } from "node:child_process"
import process from "node:process"
import { isAvailable } from "../harness/Availability.ts"
import { DashboardStore } from "../../engine/store/operators/DashboardStore.ts"
import { DeliveryStore } from "../../engine/store/webhooks/DeliveryStore.ts"
import { type Webhook, WebhookStore } from "../../engine/store/webhooks/WebhookStore.ts"
import { contractDocument } from "../../server/api/Contract.ts"
import { type Operation, operationsOf } from "../../server/pages/docs/SchemaText.ts"
import { operationSlug } from "../../server/pages/docs/DocText.ts"
import { expectByContract } from "../server/api/ContractCheck.ts"
import { runCli } from "../cli/RunCli.ts"
import { startService, type TestService } from "../server/TestService.ts"

const BASE = "http://localhost:8080"
/** What the contract's examples are about. */
const EXAMPLE_RUN = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
const EXAMPLE_SITE = "https://docs.harbourhub.dev"
const EXAMPLE_WEBHOOK = "8c0f3f7e-52a5-4a3b-9d0e-6f1f7c1a2b3c"
const EXAMPLE_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

/** What an operation's example is answered with, if not with 200: no site publishes the token of an owner here. */
const STATUS: Readonly<Partial<Record<string, string>>> = {
  submitAudit: "202",
  createWebhook: "403",
  testWebhook: "202",
  deleteWebhook: "204"
}

const operations = operationsOf(contractDocument({ baseUrl: BASE }))

let service: TestService
let run = ""

beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" }, pace: "200 millis" })
  await service.submit({ base_url: EXAMPLE_SITE })
  run = (await service.submit({ base_url: EXAMPLE_SITE })).headers.get("x-audit-run-id") ?? ""
  const definition = JSON.stringify({
    sites: ["docs.harbourhub.dev"],
    widgets: [{ kind: "site_trend", title: "Ours", site: "docs.harbourhub.dev" }]
  })
  await service.stores(
    DashboardStore.use((store) => store.put({ slug: "acme-docs", title: "Ours", isPublic: true, definition }))
  )
})
afterAll(() => service.stop())

/** A webhook with a delivery, of which a site can have five. */
const createdWebhook = (): Promise<Webhook> =>
  service.stores(
    Effect.gen(function* () {
      const site = { site: "docs.harbourhub.dev", baseUrl: EXAMPLE_SITE }
      const made = yield* WebhookStore.use((store) =>
        store.create({ ...site, url: "https://hooks.harbourhub.dev", events: ["audit.finished"] })
      )
      if (made === null) return yield* Effect.die("no webhook")
      yield* DeliveryStore.use((store) => store.add(made.id, { type: "audit.finished", runId: run, body: "{}" }))
      return made
    })
  )

const versionOf = async (slug: string): Promise<string> => (await service.ask(`/docs/v1/${slug}.md`)).text()

const blocksOf = (markdown: string, language: string): ReadonlyArray<string> =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code)

/** The example that the page shows for a status. */
const exampleFor = (markdown: string, status: string): unknown => {
  const section = markdown.split(/^### /m).find((part) => part.startsWith(`Status ${status}\n`)) ?? ""
  return JSON.parse(blocksOf(section, "json")[0] ?? "null")
}

interface Answered {
  readonly status: string
  readonly body: string
  readonly headers: string
}

/** Runs the command as a reader would paste it, against the service at hand. */
const pasted = async (command: string): Promise<Answered> => {
  const webhook = command.includes(EXAMPLE_SECRET) ? await createdWebhook() : null
  return new Promise((settle, fail) => {
    const here = command
      .replaceAll(BASE, service.url)
      .replaceAll(EXAMPLE_RUN, run)
      .replaceAll(EXAMPLE_WEBHOOK, webhook?.id ?? "")
      .replaceAll(EXAMPLE_SECRET, webhook?.secret ?? "")
      .replace(/ \\\n {2}-o \S+/, "")
      .trim()
    execFile("bash", ["-c", `${here} -s -i`], { encoding: "utf8" }, (error, stdout) => {
      if (error !== null) return fail(error)
      const [headers = "", ...body] = stdout.split("\r\n\r\n")
      settle({ status: /^HTTP\/\S+ (\d+)/.exec(headers)?.[1] ?? "", headers, body: body.join("\r\n\r\n") })
    })
  })
}

const evaluated = (
  command: string,
  args: ReadonlyArray<string>
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> =>
  new Promise((settle) => {
    const child = execFile(command, args, { encoding: "utf8" }, (_, stdout, stderr) =>
      settle({ code: child.exitCode, stdout, stderr })
    )
  })

const headersOf = (text: string): Headers =>
  new Headers(
    text
      .split("\r\n")
      .slice(1)
      .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()])
  )

const keysOf = (value: unknown): ReadonlyArray<string> =>
  Object.keys(typeof value === "object" && value !== null ? value : {}).sort()

describe.each(operations)("the curl line of $id", (operation: Operation) => {
  it("works when it is pasted, and is answered in the shape that the page shows", async () => {
    const markdown = await versionOf(`operations/${operationSlug(operation)}`)
    const [command = ""] = blocksOf(markdown, "sh")
    expect(command).toMatch(/^curl /)
    let answered = await pasted(command)
    // Figures of a dashboard are put together in the background, and so is the snapshot.
    const later = operation.id === "getDashboard" ? "202" : operation.id === "browseExport" ? "404" : null
    for (let tries = 0; answered.status === later && tries < 50; tries++) answered = await pasted(command)
    const { body, headers, status } = answered
    expect(status).toBe(STATUS[operation.id] ?? "200")
    await expectByContract(
      operation.method,
      operation.path.replace("{id}", run),
      new Response(body === "" ? null : body, { status: Number(status), headers: headersOf(headers) })
    )
    if (!/application\/json/.test(headers) || operation.id === "getContractJson" || Number(status) >= 400) return
    expect(keysOf(JSON.parse(body))).toEqual(keysOf(exampleFor(markdown, status)))
  })
})

describe("examples that are written by hand", () => {
  const SHOWN: ReadonlyArray<readonly [slug: string, method: string, path: string, statuses: ReadonlyArray<number>]> = [
    ["quickstart", "POST", "/audit?async=true", [202]],
    ["errors", "POST", "/audit", [400, 429, 429, 500]]
  ]

  it.each(SHOWN)("of %s are what the contract says", async (slug, method, path, statuses) => {
    const examples = blocksOf(await versionOf(slug), "json")
    for (const [index, status] of statuses.entries()) {
      const headers =
        status === 429
          ? { "retry-after": "23", ratelimit: '"submit";r=0;t=23', "ratelimit-policy": '"submit";q=2;w=60' }
          : status === 202
            ? {
                "x-audit-run-id": EXAMPLE_RUN,
                link: `</r/${EXAMPLE_RUN}>; rel="alternate"`,
                location: `/api/public/audit/${EXAMPLE_RUN}`,
                "retry-after": "3",
                "cache-control": "no-store"
              }
            : {}
      await expectByContract(
        method,
        path,
        new Response(examples[index] ?? "", { status, headers: { "content-type": "application/json", ...headers } })
      )
    }
  })

  it("show a run under way as the contract has it", async () => {
    const [, under = ""] = blocksOf(await versionOf("quickstart"), "json")
    await expectByContract(
      "GET",
      `/api/public/audit/${EXAMPLE_RUN}`,
      new Response(under, { headers: { "content-type": "application/json", "cache-control": "no-store" } })
    )
  })
})

describe("programs", () => {
  it("of the quickstart audit a site and print its score", async () => {
    const [program = ""] = blocksOf(await versionOf("quickstart"), "js")
    const here = program
      .replaceAll(BASE, service.url)
      .replace("https://docs.example.com", EXAMPLE_SITE)
      .replace("sleep(3)", "sleep(0.1)")
    const { code, stderr, stdout } = await evaluated(process.execPath, ["--input-type=module", "--eval", here])
    expect({ code, stderr, score: Number(stdout) > 0 }).toEqual({ code: 0, stderr: "", score: true })
  })

  it("in Python can be read by Python", async (context) => {
    const slugs = [
      "quickstart",
      "errors",
      "pagination",
      ...operations.map((operation) => `operations/${operationSlug(operation)}`)
    ]
    const programs = (await Promise.all(slugs.map(async (slug) => blocksOf(await versionOf(slug), "python")))).flat()
    const source = `import ast, json, sys\nfor program in json.loads(sys.argv[1]): ast.parse(program)`
    expect(programs.length).toBeGreaterThan(14)
    const { code, stderr } = await evaluated("python3", ["-c", source, JSON.stringify(programs)])
    if (!isAvailable("python3", code !== null)) return context.skip("skipped: python3 is missing")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  })
})

describe("the page about the command line", () => {
  it("has each flag and subcommand of --help, and no other", async () => {
    const { stdout } = await runCli(["--help"])
    const [own = ""] = stdout.split("GLOBAL FLAGS")
    const flags = [...own.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag = ""]) => flag)
    const commands = [...own.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, command = ""]) => command)
    const markdown = await versionOf("cli")
    expect(flags.length).toBeGreaterThan(15)
    expect([...markdown.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, flag = ""]) => flag).sort()).toEqual([...flags].sort())
    const named = new Set([...markdown.matchAll(/^\| `docgauge ([a-z]+)/gm)].map(([, command = ""]) => command))
    expect([...named].sort()).toEqual([...commands].sort())
  })
})
