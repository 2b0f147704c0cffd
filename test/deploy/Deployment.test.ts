import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { composeErrors } from "./ComposeSchema.ts"
import { archiveRule } from "../../engine/store/archives/ArchiveRule.ts"
import { configuredDatabase } from "../../engine/store/Database.ts"
import { objectLocation } from "../../engine/store/objects/ObjectSettings.ts"
import { graceSeconds } from "../../engine/schedule/Scheduler.ts"
import { addresses } from "../../server/config/Settings.ts"
import { processRole } from "../../server/ProcessRole.ts"

const ROOT = join(import.meta.dirname, "../..")

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")

/** What the service makes of these settings; an invalid one fails. */
const understood = (environment: Readonly<Record<string, string>>) => {
  const provider = ConfigProvider.fromEnvRecord(environment)
  return Effect.runPromise(Effect.all({
    role: processRole.parse(provider),
    grace: graceSeconds.parse(provider),
    archives: archiveRule.parse(provider),
    objects: objectLocation.parse(provider),
    database: configuredDatabase.parse(provider),
    addresses: addresses.parse(provider)
  }))
}

const Settings = Schema.Record(Schema.String, Schema.String)

describe("a compose file", () => {
  it.each(["compose.yaml", "deploy/compose.yaml"])("%s has a command in its first lines that writes all secrets which the file needs to a file that git and images leave out, once", (path) => {
    const secrets = new Set([...read(path).matchAll(/\$\{(\w+):\?/gu)].map(([, name]) => name))
    const [, command = "", file = ""] = /^#   (test -e (\S+) .*)$/mu.exec(read(path)) ?? []
    // Where `docker compose` looks for it: beside the first file that it is given.
    expect(file).toBe(join(dirname(path), ".env"))
    const folder = mkdtempSync(join(tmpdir(), "docgauge-compose-"))
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    const start = (): string => {
      execFileSync("sh", ["-c", command], { cwd: folder })
      return readFileSync(join(folder, file), "utf8")
    }
    const written = start()
    expect([...written.matchAll(/^(\w+)=[\da-f]{32}$/gmu)].map(([, name]) => name)).toEqual([...secrets])
    expect(start()).toBe(written)
    expect(statSync(join(folder, file)).mode & 0o077).toBe(0)
    rmSync(folder, { recursive: true })
    expect(read(".gitignore").split("\n")).toContain(".env")
    expect(read(".dockerignore").split("\n")).toContain(file)
  })
})

describe("deploy/compose.yaml", () => {
  const compose: unknown = parse(read("deploy/compose.yaml"), { merge: true })
  const Process = Schema.Struct({ environment: Settings, deploy: Schema.Struct({ replicas: Schema.Number }), read_only: Schema.Literal(true), stop_grace_period: Schema.optionalKey(Schema.String) })
  const { services: { web, worker, objects } } = Schema.decodeUnknownSync(Schema.Struct({
    services: Schema.Struct({ web: Process, worker: Process, objects: Schema.Struct({ environment: Settings }) })
  }))(compose)

  it("is valid by the schema of the Compose specification", () => {
    expect(composeErrors(compose)).toEqual([])
  })

  it("starts two web processes and three workers with settings that the service understands, on one object store", async () => {
    expect([web.deploy.replicas, worker.deploy.replicas]).toEqual([2, 3])
    const filled = (environment: typeof Settings.Type) =>
      Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value.replaceAll(/\$\{\w+:\?[^}]*\}/gu, "abcdefgh1").replaceAll(/\$\{\w+:-([^}]*)\}/gu, "$1")]))
    const [ofWeb, ofWorker] = [await understood(filled(web.environment)), await understood(filled(worker.environment))]
    expect([ofWeb.role, ofWorker.role]).toEqual(["web", "worker"])
    expect(ofWeb.objects).toEqual(ofWorker.objects)
    expect(ofWorker.objects).toMatchObject({ bucket: "docgauge", endpoint: "http://objects:9000", accessKeyId: objects.environment["MINIO_ROOT_USER"] })
    expect(Number.parseInt(worker.stop_grace_period ?? "", 10)).toBeGreaterThan(ofWorker.grace + 5)
  })
})

describe("deploy/kubernetes.yaml", () => {
  const Probe = Schema.Struct({ httpGet: Schema.Struct({ path: Schema.String, port: Schema.Literal("http") }) })
  const Labels = Schema.Struct({ app: Schema.Literal("docgauge"), role: Schema.Literals(["web", "worker"]) })
  const Workload = Schema.Struct({
    kind: Schema.Literals(["Deployment", "StatefulSet"]),
    spec: Schema.Struct({
      replicas: Schema.Number,
      selector: Schema.Struct({ matchLabels: Labels }),
      template: Schema.Struct({
        metadata: Schema.Struct({ labels: Labels }),
        spec: Schema.Struct({
          terminationGracePeriodSeconds: Schema.Number,
          containers: Schema.Tuple([Schema.Struct({
            env: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
            ports: Schema.Array(Schema.Struct({ name: Schema.Literal("http"), containerPort: Schema.Literal(8080) })),
            startupProbe: Probe,
            readinessProbe: Probe,
            livenessProbe: Probe
          })])
        })
      })
    })
  })
  const documents = parseAllDocuments(read("deploy/kubernetes.yaml")).map((document): unknown => document.toJS())
  const workloads = documents.filter(Schema.is(Workload))
  const shared = Object.assign({}, ...documents.filter(Schema.is(Schema.Struct({ data: Settings }))).map(({ data }) => data), ...documents.filter(Schema.is(Schema.Struct({ stringData: Settings }))).map(({ stringData }) => stringData))

  it("has two web processes and three workers, whose settings the service understands, and whose pods end after the service", async () => {
    expect(workloads.map(({ kind, spec }) => [kind, spec.replicas, spec.selector.matchLabels.role])).toEqual([["Deployment", 2, "web"], ["StatefulSet", 3, "worker"]])
    for (const { spec: { selector, template } } of workloads) {
      expect(template.metadata.labels).toEqual(selector.matchLabels)
      const [{ env }] = template.spec.containers
      const settings = { ...shared, ...Object.fromEntries(env.map(({ name, value }) => [name, value])), DOCGAUGE_OBJECT_STORE: "s3://bucket/docgauge" }
      const { grace, role } = await understood(settings)
      expect(role).toBe(selector.matchLabels.role)
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(grace + 5)
    }
  })

  it("asks for readiness where the database counts, and for life where it does not, so that no outage restarts processes", () => {
    for (const { spec: { template: { spec: { containers: [{ livenessProbe, readinessProbe, startupProbe }] } } } } of workloads) {
      expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual(["/healthz/live", "/healthz", "/healthz/live"])
    }
    expect(read("server/http/handlers/OperatorRoutes.ts")).toContain('"/healthz/live"')
  })
})
