import * as NodeServices from "@effect/platform-node/NodeServices"
import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFile, spawn } from "node:child_process"
import { describe, expect, it } from "vitest"
import { Auditor } from "../../engine/schedule/Auditor.ts"
import { graceSeconds } from "../../engine/schedule/Scheduler.ts"
import { layerNodeServer } from "../../server/http/NodeServer.ts"
import { HAND_OVER_MS } from "../../server/Serve.ts"
import { serviceOver } from "../../server/Service.ts"
import { addresses, agentAddress, isLoopback } from "../../server/config/Settings.ts"
import { startFailureOf } from "../../server/config/RubricInForce.ts"
import { freePort } from "../harness/port/FreePort.ts"
import { ServiceProcess } from "../harness/ServiceProcess.ts"
import { scriptedAuditor } from "./ScriptedAuditor.ts"

/** Why the service does not start with these variables. */
const failure = (env: Record<string, string>): Promise<string> => {
  const service = serviceOver(Layer.succeed(Auditor, { audit: scriptedAuditor().audit })).pipe(
    Layer.provide(layerNodeServer),
    Layer.provide(NodeServices.layer),
    Layer.provide(
      ConfigProvider.layer(ConfigProvider.fromEnvRecord({ PORT: "0", DOCGAUGE_DATABASE_URL: "memory:", ...env }))
    )
  )
  return Effect.runPromise(
    Layer.build(service).pipe(
      Effect.flip,
      Effect.map((error) => startFailureOf(error).message),
      Effect.scoped
    )
  )
}

/** Runs a program of the tree; its exit code and what it wrote to stderr. */
const run = (
  program: string,
  args: ReadonlyArray<string>,
  env: Record<string, string>
): Promise<{ code: unknown; stderr: string }> =>
  new Promise((resolve) => {
    const path = new URL(`../../${program}`, import.meta.url).pathname
    execFile(
      process.execPath,
      [path, ...args],
      { env: { ...process.env, PORT: "0", ...env } },
      (error, _stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stderr })
      }
    )
  })

describe("an invalid value fails the start with one line that names its variable", () => {
  it.each([
    ["PORT", "eighty"],
    ["PORT", "70000"],
    ["HOST", "no such host"],
    ["DOCGAUGE_ROLE", "leader"],
    ["DOCGAUGE_ROLE", "worker"],
    ["DOCGAUGE_GRACE_SECONDS", "0"],
    ["DOCGAUGE_DATABASE_URL", "mysql://user:secret@db/x"],
    ["DOCGAUGE_ARCHIVES", "keep=0"],
    ["DOCGAUGE_BASE_URL", "docgauge.example"],
    ["DOCGAUGE_DOCS_URL", "ftp://x"],
    ["DOCGAUGE_MCP_URL", "?"],
    ["DOCGAUGE_RESOLVE", "everything"],
    ["DOCGAUGE_REFUSED_RANGES", "203.0.113.0/33"],
    ["DOCGAUGE_ALLOW_PRIVATE", "perhaps"],
    ["DOCGAUGE_ALLOW_HTTP", "2"],
    ["DOCGAUGE_OWN_HOSTS_ONLY", "some"],
    ["DOCGAUGE_TRUST_PROXY", "-1"],
    ["DOCGAUGE_SUBMIT_RATE", "2"],
    ["DOCGAUGE_MCP_RATE", "300"],
    ["DOCGAUGE_OAUTH_RATE", "many/60s"],
    ["DOCGAUGE_MCP_NETWORK_FACTOR", "0"],
    ["DOCGAUGE_TARGET_WINDOW", "ten minutes"],
    ["DOCGAUGE_SITE_QUOTA", "1/never"],
    ["DOCGAUGE_POLL_RATE", "0/1s"],
    ["DOCGAUGE_BROWSE_RATE", "x"],
    ["DOCGAUGE_CONCURRENT_AUDITS", "0"],
    ["DOCGAUGE_HOST_BUDGET", "600"],
    ["DOCGAUGE_CLIENT_RUNS", "0"],
    ["DOCGAUGE_QUEUE_LIMIT", "1,000"],
    ["DOCGAUGE_RUBRIC", "nowhere.yaml"],
    ["DOCGAUGE_RETENTION", "forever"],
    ["DOCGAUGE_ADMIN_JWT_SECRET", "too short to be a secret"],
    ["DOCGAUGE_ADMIN_JWKS_URL", "keys.json"],
    ["DOCGAUGE_ADMIN_JWKS_URL", "http://id.example/keys"],
    ["DOCGAUGE_ADMIN_JWKS_URL", "http://localhost.id.example/keys"]
  ])("%s=%s", async (name, value) => {
    const message = await failure({ [name]: value })
    expect(message.split("\n")).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
    expect(message).not.toContain("secret")
  })

  it("two keys for the admin API", async () => {
    const message = await failure({
      DOCGAUGE_ADMIN_JWT_SECRET: "x".repeat(32),
      DOCGAUGE_ADMIN_JWKS_URL: "https://id.example/keys"
    })
    expect(message).toMatch(/^DOCGAUGE_ADMIN_JWT_SECRET, DOCGAUGE_ADMIN_JWKS_URL: [^\n]+$/)
    expect(message).not.toContain("xxx")
  })

  it("a rule for every name if others can reach the service", async () => {
    expect(await failure({ DOCGAUGE_RESOLVE: "*:443:127.0.0.1:8443", HOST: "0.0.0.0" })).toMatch(/^DOCGAUGE_RESOLVE: /)
  })

  /** Nothing is left in the folder of the tree. */
  const NOWHERE = { DOCGAUGE_DATABASE_URL: "memory:" }

  it("exit code 2, for the service and for docgauge serve", async () => {
    expect(await run("server/main.ts", [], { ...NOWHERE, DOCGAUGE_SITE_QUOTA: "often" })).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^docgauge: DOCGAUGE_SITE_QUOTA: [^\n]+\n$/)
    })
    expect(await run("cli/main.ts", ["serve", "--submit-rate", "often"], NOWHERE)).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^docgauge: DOCGAUGE_SUBMIT_RATE: [^\n]+\n$/)
    })
  })
})

describe("a variable that nothing reads", () => {
  it("is told at the start by its name alone, as a misspelled one, and one without effect on this database", async () => {
    const service = new ServiceProcess({
      env: {
        PORT: "0",
        DOCGAUGE_DATABASE_URL: "memory:",
        DOCGAUGE_SITE_QOUTA: "secret",
        DOCGAUGE_DATABASE_CONNECTIONS: "9",
        DOCGAUGE_SITE_QUOTA: "off"
      }
    })
    try {
      await service.url
      const told = service.lines.filter((line) => line.includes("without effect"))
      expect(told).toEqual([
        expect.stringContaining("DOCGAUGE_SITE_QOUTA, DOCGAUGE_DATABASE_CONNECTIONS: set, and without effect here.")
      ])
      expect(told.join("")).not.toContain("secret")
    } finally {
      await service.kill()
    }
  })
})

/** What the settings make of an environment. */
const read = <A>(setting: Config.Config<A>, env: Record<string, string>): Promise<A> =>
  Effect.runPromise(
    setting.pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)))
  )

describe("the time of grace", () => {
  // Tests of shutdowns set a shorter one, so that a slow machine ends in ten seconds, too.
  it("leaves a shutdown less than ten seconds by default", async () => {
    expect((await read(graceSeconds, {})) * 1_000 + HAND_OVER_MS).toBeLessThan(10_000)
  })
})

describe("the base URL", () => {
  it.each([
    [{}, "http://localhost:8080"],
    [{ PORT: "9123" }, "http://localhost:9123"],
    [{ PORT: "0" }, "http://localhost:8080"],
    [{ PORT: "9123", DOCGAUGE_BASE_URL: "https://gauge.example/" }, "https://gauge.example"]
  ])("under %j is %s, and so is where agents look", async (env, base) => {
    expect(await read(addresses, env)).toEqual({ base, docs: `${base}/docs`, mcp: `${base}/mcp` })
  })

  it.each([
    [{}, null],
    [{ PORT: "9123" }, null],
    [{ DOCGAUGE_BASE_URL: "http://127.0.0.1:9123" }, null],
    [{ DOCGAUGE_BASE_URL: "https://gauge.example" }, "https://gauge.example"]
  ])("under %j is named to audited sites as %s", async (env, named) => {
    expect(await read(agentAddress, env)).toBe(named)
  })

  it("follows a port given on the command line", async () => {
    const port = await freePort()
    const child = spawn(process.execPath, ["cli/main.ts", "serve", "--port", String(port)], {
      cwd: new URL("../..", import.meta.url).pathname,
      env: { ...process.env, DOCGAUGE_DATABASE_URL: "memory:" },
      stdio: "ignore"
    })
    try {
      const metadata = (): Promise<unknown> =>
        fetch(`http://127.0.0.1:${port}/.well-known/oauth-protected-resource`).then(
          (answer) => answer.json(),
          () => null
        )
      await expect
        .poll(metadata, { timeout: 100_000, interval: 250 })
        .toMatchObject({ resource: `http://localhost:${port}/mcp` })
    } finally {
      child.kill("SIGKILL")
    }
  })
})

describe("loopback", () => {
  it.each(["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost", "LOCALHOST", "2130706433"])("is %s", (address) =>
    expect(isLoopback(address)).toBe(true)
  )
  it.each(["0.0.0.0", "::", "10.0.0.1", "example.dev", "localhost.example.dev", "::ffff:10.0.0.1"])(
    "is not %s",
    (address) => expect(isLoopback(address)).toBe(false)
  )
})
