import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import { serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { expectByContract } from "./api/ContractCheck.ts"

const ROOT = new URL("../../", import.meta.url).pathname

/** `node server/main.ts` in a process and folder of its own. */
const startProcess = (env: Record<string, string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "docgauge-process-"))
      const child = spawn(process.execPath, [join(ROOT, "server/main.ts")], {
        cwd: folder,
        env: { ...process.env, PORT: "0", ...env },
        stdio: ["ignore", "ignore", "pipe"]
      })
      const lines: Array<string> = []
      const url = new Promise<string>((resolve) => {
        createInterface({ input: child.stderr }).on("line", (line) => {
          lines.push(line)
          const port = /listens on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
          if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
        })
        child.on("exit", () => resolve(""))
      })
      const ended = once(child, "exit").then(([code]: ReadonlyArray<unknown>) => code)
      return { child, folder, lines, ended, url: await url }
    }),
    ({ child, ended, folder }) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        await ended
        rmSync(folder, { recursive: true, force: true })
      })
  )

const ask = async (url: string, path: string, init: RequestInit = {}): Promise<Response> => {
  const answer = await fetch(url + path, init)
  await expectByContract(init.method ?? "GET", path, answer.clone())
  return answer
}

const posted = (base_url: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ base_url })
})

describe("the service with the real engine", () => {
  it.live("audits a site over the network, stores the report, returns it again, and exits with 0", () =>
    Effect.gen(function* () {
      const site = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
      const service = yield* startProcess({
        DOCGAUGE_ALLOW_PRIVATE: "true",
        DOCGAUGE_ALLOW_HTTP: "true",
        DOCGAUGE_SITE_QUOTA: "off",
        DOCGAUGE_SUBMIT_RATE: "off"
      })
      const address = site.origin + new URL(TYPICAL_URL).pathname
      yield* Effect.promise(async () => {
        const first = await ask(service.url, "/audit", posted(address))
        assert.strictEqual(first.status, 200)
        const text = await first.text()
        const report: { readonly criteria: ReadonlyArray<unknown>; readonly total_score: number } = JSON.parse(text)
        assert.strictEqual(report.criteria.length, 30)
        const requests = site.requests()
        const second = await ask(service.url, "/audit", posted(address))
        assert.strictEqual(second.headers.get("x-audit-cache"), "HIT")
        assert.strictEqual(await second.text(), text)
        assert.strictEqual(site.requests(), requests)
        const id = first.headers.get("x-audit-run-id")
        const run: { readonly total_score: number } = JSON.parse(
          await (await ask(service.url, `/api/public/audit/${id}`)).text()
        )
        assert.strictEqual(run.total_score, report.total_score)
        const archive = new Uint8Array(await (await ask(service.url, `/api/public/audit/${id}/archive`)).arrayBuffer())
        assert.deepStrictEqual([...archive.slice(0, 2)], [0x1f, 0x8b])
      })
      service.child.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => service.ended), 0)
      assert.isTrue(service.lines.some((line) => line.includes("DOCGAUGE_ALLOW_PRIVATE")))
      for (const line of service.lines) assert.doesNotThrow(() => JSON.parse(line))
    })
  )

  it.live("shuts down while clients wait and audits run, and resumes them at the next start", () =>
    Effect.gen(function* () {
      const site = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin, delayMs: 3_000 })
      const service = yield* startProcess({
        DOCGAUGE_ALLOW_PRIVATE: "true",
        DOCGAUGE_ALLOW_HTTP: "true",
        DOCGAUGE_GRACE_SECONDS: "1"
      })
      const address = site.origin + new URL(TYPICAL_URL).pathname
      const accepted = yield* Effect.promise(() => ask(service.url, "/audit?async=true", posted(address)))
      const waiting = fetch(`${service.url}/audit`, posted(address)).then(
        ({ status }) => status,
        () => "closed"
      )
      yield* Effect.sleep("1 second")
      service.child.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => service.ended), 0)
      assert.include([503, "closed"], yield* Effect.promise(() => waiting))
      assert.strictEqual(accepted.status, 202)
    })
  )
})
