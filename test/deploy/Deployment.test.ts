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
import { isPublicAddress, isWithin } from "../../engine/evidence/http/PublicAddress.ts"
import { archiveRule } from "../../engine/store/archives/ArchiveRetention.ts"
import { configuredDatabase } from "../../engine/store/Database.ts"
import { objectLocation } from "../../engine/store/blobs/S3Blobs.ts"
import { RESIDENT_LIMIT } from "../../engine/process/ProcessLimits.ts"
import { concurrentAudits, graceSeconds } from "../../engine/schedule/Scheduler.ts"
import { addresses } from "../../server/config/Settings.ts"
import { processRole } from "../../server/Service.ts"

const ROOT = join(import.meta.dirname, "../..")

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")

/** What the service makes of these settings; an invalid one fails. */
const understood = (environment: Readonly<Record<string, string>>) => {
  const provider = ConfigProvider.fromEnvRecord(environment)
  return Effect.runPromise(
    Effect.all({
      role: processRole.parse(provider),
      grace: graceSeconds.parse(provider),
      audits: concurrentAudits.parse(provider),
      archives: archiveRule.parse(provider),
      objects: objectLocation.parse(provider),
      database: configuredDatabase.parse(provider),
      addresses: addresses.parse(provider)
    })
  )
}

const Settings = Schema.Record(Schema.String, Schema.String)

/** How long a start may take, in seconds: a migration waits up to ten minutes for locks, and then has no limit. */
const LONGEST_START = 30 * 60

/** What the service itself takes at most with 10,000 connections, in bytes, and a process that is started in advance to replace another. docs/operating.md */
const SERVICE_BYTES = (640 + 100) * 1024 ** 2

describe("Dockerfile", () => {
  it("does not call a container unhealthy while it changes tables", () => {
    const [, hours = ""] = /^HEALTHCHECK .*--start-period=(\d+)h /mu.exec(read("Dockerfile")) ?? []
    expect(Number(hours) * 3_600).toBeGreaterThanOrEqual(LONGEST_START)
  })
})

it("images of others are pinned by tag and digest, one for each in all files", () => {
  const images = ["Dockerfile", "compose.yaml", "deploy/compose.yaml"]
    .flatMap((path) => [...read(path).matchAll(/^(?:FROM| +image:) (\S+)/gmu)].map(([, image = ""]) => image))
    .filter((image) => image !== "docgauge")
  expect(images.map((image) => image.replace(/@sha256:[0-9a-f]{64}$/u, "")).toSorted()).toEqual([
    expect.stringMatching(/^minio\/minio:RELEASE\./u),
    ...Array.from({ length: 2 }, () => expect.stringMatching(/^node:\d+\.\d+\.\d+-[a-z-]+$/u)),
    ...Array.from({ length: 2 }, () => expect.stringMatching(/^postgres:\d+\.\d+-[a-z]+$/u))
  ])
  expect(new Set(images).size).toBe(3)
})

describe("a compose file", () => {
  it.each(["compose.yaml", "deploy/compose.yaml"])(
    "%s has a command in its first lines that writes all secrets which the file needs to a file that git and images leave out, once",
    (path) => {
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
    }
  )
})

describe("deploy/compose.yaml", () => {
  const compose: unknown = parse(read("deploy/compose.yaml"), { merge: true })
  const Process = Schema.Struct({
    environment: Settings,
    deploy: Schema.Struct({ replicas: Schema.Number }),
    read_only: Schema.Literal(true),
    stop_grace_period: Schema.optionalKey(Schema.String)
  })
  const {
    services: { web, worker, objects }
  } = Schema.decodeUnknownSync(
    Schema.Struct({
      services: Schema.Struct({ web: Process, worker: Process, objects: Schema.Struct({ environment: Settings }) })
    })
  )(compose)

  it("is valid by the schema of the Compose specification", () => {
    expect(composeErrors(compose)).toEqual([])
  })

  it("starts two web processes and three workers with settings that the service understands, on one object store", async () => {
    expect([web.deploy.replicas, worker.deploy.replicas]).toEqual([2, 3])
    const filled = (environment: typeof Settings.Type) =>
      Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.replaceAll(/\$\{\w+:\?[^}]*\}/gu, "abcdefgh1").replaceAll(/\$\{\w+:-([^}]*)\}/gu, "$1")
        ])
      )
    const [ofWeb, ofWorker] = [await understood(filled(web.environment)), await understood(filled(worker.environment))]
    expect([ofWeb.role, ofWorker.role]).toEqual(["web", "worker"])
    expect(ofWeb.objects).toEqual(ofWorker.objects)
    expect(ofWorker.objects).toMatchObject({
      bucket: "docgauge",
      endpoint: "http://objects:9000",
      accessKeyId: objects.environment["MINIO_ROOT_USER"]
    })
    expect(Number.parseInt(worker.stop_grace_period ?? "", 10)).toBeGreaterThan(ofWorker.grace + 5)
  })
})

describe("deploy/kubernetes.yaml", () => {
  const Probe = Schema.Struct({ httpGet: Schema.Struct({ path: Schema.String, port: Schema.Literal("http") }) })
  const StartupProbe = Schema.Struct({ ...Probe.fields, periodSeconds: Schema.Number, failureThreshold: Schema.Number })
  const Labels = Schema.Struct({ app: Schema.Literal("docgauge"), role: Schema.Literals(["web", "worker"]) })
  const Workload = Schema.Struct({
    kind: Schema.Literals(["Deployment", "StatefulSet"]),
    spec: Schema.Struct({
      replicas: Schema.Number,
      progressDeadlineSeconds: Schema.optionalKey(Schema.Number),
      selector: Schema.Struct({ matchLabels: Labels }),
      template: Schema.Struct({
        metadata: Schema.Struct({ labels: Labels }),
        spec: Schema.Struct({
          terminationGracePeriodSeconds: Schema.Number,
          containers: Schema.Tuple([
            Schema.Struct({
              env: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
              ports: Schema.Array(Schema.Struct({ name: Schema.Literal("http"), containerPort: Schema.Literal(8080) })),
              startupProbe: StartupProbe,
              readinessProbe: Probe,
              livenessProbe: Probe,
              resources: Schema.Struct({ limits: Schema.Struct({ memory: Schema.String }) })
            })
          ])
        })
      })
    })
  })
  const documents = parseAllDocuments(read("deploy/kubernetes.yaml")).map((document): unknown => document.toJS())
  const workloads = documents.filter(Schema.is(Workload))
  const shared = Object.assign(
    {},
    ...documents.filter(Schema.is(Schema.Struct({ data: Settings }))).map(({ data }) => data),
    ...documents.filter(Schema.is(Schema.Struct({ stringData: Settings }))).map(({ stringData }) => stringData)
  )

  /** What the service makes of the settings of a workload. */
  const settingsOf = ({
    spec: {
      template: {
        spec: {
          containers: [{ env }]
        }
      }
    }
  }: typeof Workload.Type) =>
    understood({
      ...shared,
      ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
      DOCGAUGE_OBJECT_STORE: "s3://bucket/docgauge"
    })

  it("has two web processes and three workers, whose settings the service understands, and whose pods end after the service", async () => {
    expect(workloads.map(({ kind, spec }) => [kind, spec.replicas, spec.selector.matchLabels.role])).toEqual([
      ["Deployment", 2, "web"],
      ["StatefulSet", 3, "worker"]
    ])
    for (const workload of workloads) {
      const { selector, template } = workload.spec
      expect(template.metadata.labels).toEqual(selector.matchLabels)
      const { grace, role } = await settingsOf(workload)
      expect(role).toBe(selector.matchLabels.role)
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(grace + 5)
    }
  })

  it("leads from the name of the base URL to the web processes, through proxies that wait longer than a synchronous audit", () => {
    const Ingress = Schema.Struct({
      kind: Schema.Literal("Ingress"),
      metadata: Schema.Struct({ annotations: Settings }),
      spec: Schema.Struct({
        tls: Schema.Tuple([Schema.Struct({ hosts: Schema.Array(Schema.String) })]),
        rules: Schema.Tuple([Schema.Struct({ host: Schema.String, http: Schema.Unknown })])
      })
    })
    const ingress = documents.find(Schema.is(Ingress))
    if (ingress === undefined) return expect.unreachable("there is no Ingress")
    const {
      metadata: { annotations },
      spec: {
        rules: [{ host, http }],
        tls: [{ hosts }]
      }
    } = ingress
    expect([host, hosts]).toEqual([new URL(shared.DOCGAUGE_BASE_URL).host.toUpperCase(), [host]])
    expect(http).toEqual({
      paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "docgauge", port: { name: "http" } } } }]
    })
    const timeouts = Object.entries(annotations).filter(([name]) => /read-timeout|load-balancer/.test(name))
    expect(timeouts.map(([, value]) => Number(/\d+$/.exec(value)?.[0]))).toEqual([130, 130])
  })

  it("asks for readiness where the database counts, and for life where it does not, so that no outage restarts processes", () => {
    for (const {
      spec: {
        template: {
          spec: {
            containers: [{ livenessProbe, readinessProbe, startupProbe }]
          }
        }
      }
    } of workloads) {
      expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
        "/healthz/live",
        "/healthz",
        "/healthz/live"
      ])
    }
    expect(read("server/http/handlers/OperatorRoutes.ts")).toContain('"/healthz/live"')
  })

  it("ends no pod that changes tables, which listens only after that", () => {
    for (const {
      spec: {
        progressDeadlineSeconds,
        template: {
          spec: {
            containers: [
              {
                startupProbe: { failureThreshold, periodSeconds }
              }
            ]
          }
        }
      }
    } of workloads) {
      expect(failureThreshold * periodSeconds).toBeGreaterThanOrEqual(LONGEST_START)
      if (progressDeadlineSeconds !== undefined)
        expect(progressDeadlineSeconds).toBeGreaterThan(failureThreshold * periodSeconds)
    }
    expect(workloads.map(({ spec }) => spec.progressDeadlineSeconds !== undefined)).toEqual([true, false])
  })

  it("gives each process as much memory as all of its own bounds together", async () => {
    for (const workload of workloads) {
      const [
        {
          resources: {
            limits: { memory }
          }
        }
      ] = workload.spec.template.spec.containers
      const { audits, role } = await settingsOf(workload)
      // A web process audits nothing, and makes the fixes of one site at a time.
      const processes = role === "web" ? 1 : audits
      expect(memory).toMatch(/^\d+Gi$/)
      expect(Number.parseInt(memory, 10) * 1024 ** 3).toBeGreaterThanOrEqual(processes * RESIDENT_LIMIT + SERVICE_BYTES)
    }
  })

  const IpBlock = Schema.Struct({ cidr: Schema.String, except: Schema.Array(Schema.String) })
  const Port = Schema.Struct({
    protocol: Schema.Literals(["TCP", "UDP"]),
    port: Schema.Number,
    endPort: Schema.optionalKey(Schema.Number)
  })
  const Policy = Schema.Struct({
    kind: Schema.Literal("NetworkPolicy"),
    spec: Schema.Struct({
      podSelector: Schema.Struct({ matchLabels: Schema.Struct({ app: Schema.Literal("docgauge") }) }),
      policyTypes: Schema.Tuple([Schema.Literal("Egress")]),
      egress: Schema.Array(
        Schema.Struct({
          to: Schema.Array(
            Schema.Union([Schema.Struct({ ipBlock: IpBlock }), Schema.Struct({ podSelector: Schema.Unknown })])
          ),
          ports: Schema.Array(Port)
        })
      )
    })
  })
  const egress = documents.filter(Schema.is(Policy)).flatMap(({ spec }) => spec.egress)

  /** Whether the policy lets pods connect to an address outside of the cluster. */
  const reaches = (address: string, port: number): boolean =>
    egress.some(
      ({ ports, to }) =>
        ports.some(
          (allowed) => allowed.protocol === "TCP" && port >= allowed.port && port <= (allowed.endPort ?? allowed.port)
        ) &&
        to.some(
          (peer) =>
            "ipBlock" in peer && isWithin(address, [peer.ipBlock.cidr]) && !isWithin(address, peer.ipBlock.except)
        )
    )

  it("lets pods of both roles reach names, the database, the object store and sites, and neither metadata nor private networks", () => {
    expect(egress.map(({ ports }) => ports[0]?.port)).toEqual([53, 5432, 9000, 80])
    for (const address of ["93.184.216.34", "2606:2800:220:1::1", "198.41.0.4"])
      expect([80, 443, 8443].map((port) => [address, isPublicAddress(address), reaches(address, port)])).toEqual(
        Array.from({ length: 3 }, () => [address, true, true])
      )
    expect([22, 25, 53, 1023].filter((port) => reaches("93.184.216.34", port))).toEqual([])
    const closed = [
      "169.254.169.254",
      "169.254.170.2",
      "168.63.129.16",
      "fd00:ec2::254",
      "10.0.0.1",
      "172.31.0.1",
      "192.168.1.1",
      "100.64.0.1",
      "100.100.100.200",
      "127.0.0.1",
      "0.0.0.0",
      "192.0.0.192",
      "198.19.0.1",
      "224.0.0.1",
      "255.255.255.255",
      "::1",
      "fe80::1",
      "fc00::1",
      "64:ff9b::a9fe:a9fe",
      "::ffff:169.254.169.254",
      "2002:a9fe:a9fe::",
      "2001::1",
      "ff02::1"
    ]
    expect(closed.filter((address) => isPublicAddress(address) || reaches(address, 80))).toEqual([])
  })
})
