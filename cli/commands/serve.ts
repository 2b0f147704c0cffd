import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"
import { Command, Flag } from "effect/cli"
import process from "node:process"
import { CliFailure, ExitCode } from "../io/CliFailure.ts"
import { repeated } from "../io/Flags.ts"

/**
 * Each flag, its environment variable, its type and what it sets, in the order of the help. Secrets have no flags: anyone on the machine can read another process's
 * flags.
 */
const SETTINGS = {
  port: ["PORT", "N", "Port to listen on. --port 8080"],
  host: ["HOST", "ADDRESS", "Address to listen on. --host 0.0.0.0"],
  role: ["DOCGAUGE_ROLE", "ROLE", "What this process does: all, web (no audits) or worker (only audits). --role worker"],
  databaseUrl: ["DOCGAUGE_DATABASE_URL", "URL", "Database for runs: file:PATH, postgres://… or memory:. --database-url file:data/docgauge.db"],
  databaseConnections: ["DOCGAUGE_DATABASE_CONNECTIONS", "N", "Maximum connections of this process to PostgreSQL. --database-connections 10"],
  archives: ["DOCGAUGE_ARCHIVES", "RULE", "Folder for archives and how many to keep: a folder, keep=N, days=N, total=SIZE, or off. --archives data/archives,keep=2"],
  oldReports: ["DOCGAUGE_OLD_REPORTS", "RULE", "Reports to move to the object store: days=N, those of runs older than that, or off. --old-reports days=30"],
  retention: ["DOCGAUGE_RETENTION", "RULE", "Finished runs to keep: keep=N, days=N, or off for all. --retention keep=20,days=365"],
  adminJwksUrl: ["DOCGAUGE_ADMIN_JWKS_URL", "URL", "JWKS with the public keys of operators' tokens. --admin-jwks-url https://id.example/keys"],
  adminJwtIssuer: ["DOCGAUGE_ADMIN_JWT_ISSUER", "TEXT", "Required iss claim. --admin-jwt-issuer https://id.example"],
  adminJwtAudience: ["DOCGAUGE_ADMIN_JWT_AUDIENCE", "TEXT", "Required aud claim. --admin-jwt-audience docgauge"],
  baseUrl: ["DOCGAUGE_BASE_URL", "URL", "Public URL of the service. --base-url https://docgauge.example"],
  docsUrl: ["DOCGAUGE_DOCS_URL", "URL", "Public URL of its documentation. --docs-url https://docgauge.example/docs"],
  mcpUrl: ["DOCGAUGE_MCP_URL", "URL", "Public URL of its MCP server. --mcp-url https://docgauge.example/mcp"],
  contact: ["DOCGAUGE_CONTACT", "ADDRESS", "Contact address, shown at /bot. --contact mailto:crawler@docgauge.example"],
  trustProxy: ["DOCGAUGE_TRUST_PROXY", "N", "Number of trusted proxies in X-Forwarded-For. --trust-proxy 1"],
  refusedRanges: ["DOCGAUGE_REFUSED_RANGES", "RANGES", "Ranges of addresses never to contact, besides private ones. --refused-ranges 203.0.113.0/24,2001:db8:64::/96"],
  submitRate: ["DOCGAUGE_SUBMIT_RATE", "RATE", "Rate limit for submitting audits, per client. --submit-rate 2/60s"],
  targetWindow: ["DOCGAUGE_TARGET_WINDOW", "SPAN", "How long a cached report answers for a URL. --target-window 10m"],
  siteQuota: ["DOCGAUGE_SITE_QUOTA", "RATE", "Rate limit for audits of one site, per network. --site-quota 1/24h"],
  verifiedQuota: ["DOCGAUGE_VERIFIED_QUOTA", "RATE", "The same for sites that their owners verified; with off, sites cannot be verified. --verified-quota 1/10m"],
  pollRate: ["DOCGAUGE_POLL_RATE", "RATE", "Rate limit for reading runs, per client. --poll-rate 30/30s"],
  browseRate: ["DOCGAUGE_BROWSE_RATE", "RATE", "Rate limit for browsing, per client. --browse-rate 20/4s"],
  fixRate: ["DOCGAUGE_FIX_RATE", "RATE", "Rate limit for making plans and files from archives, per client. --fix-rate 5/60s"],
  hostBudget: ["DOCGAUGE_HOST_BUDGET", "RATE", "Limit of requests to one registrable domain. --host-budget 600/1h"],
  gatherSeconds: ["DOCGAUGE_GATHER_SECONDS", "N", "Time limit for fetching, in seconds. --gather-seconds 100"],
  clientRuns: ["DOCGAUGE_CLIENT_RUNS", "N", "Maximum audits waiting or running, per network. --client-runs 2"],
  networkRuns: ["DOCGAUGE_NETWORK_RUNS", "N", "The same per IPv4 /16 or IPv6 /48; a tenth of the queue unless set. --network-runs 100"],
  queueLimit: ["DOCGAUGE_QUEUE_LIMIT", "N", "Maximum length of the queue. --queue-limit 1000"],
  concurrentAudits: ["DOCGAUGE_CONCURRENT_AUDITS", "N", "Audits that run at the same time. --concurrent-audits 4"],
  graceSeconds: ["DOCGAUGE_GRACE_SECONDS", "N", "How long running audits may continue at shutdown, in seconds. --grace-seconds 6"],
  rubric: ["DOCGAUGE_RUBRIC", "FILE", "Use this rubric instead of the built-in one. --rubric ./rubric.yaml"],
  mcpTokenTtl: ["DOCGAUGE_MCP_TOKEN_TTL", "SPAN", "Lifetime of MCP access tokens. --mcp-token-ttl 15m"]
} as const

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const settingFlags = Record.map(SETTINGS, ([variable, metavar, description], name) =>
  Flag.String(dashed(name)).pipe(Flag.withMetavar(metavar), Flag.withDescription(`${description} (${variable})`), Flag.optional))

/** Settings that are on or off. */
const SWITCHES = {
  allowPrivate: ["DOCGAUGE_ALLOW_PRIVATE", "Audit hosts that are not public"],
  allowHttp: ["DOCGAUGE_ALLOW_HTTP", "Audit http:// URLs"],
  ownHostsOnly: ["DOCGAUGE_OWN_HOSTS_ONLY", "Refuse requests whose Host is neither in the service's own URLs nor loopback; always on while it listens on loopback"],
  allowPlugins: ["DOCGAUGE_ALLOW_PLUGINS", "Run plugins that the rubric names by path or package"]
} as const

const switchFlags = Record.map(SWITCHES, ([variable, description], name) =>
  Flag.Boolean(dashed(name)).pipe(Flag.withDescription(`${description} (${variable})`), Flag.withDefault(false)))

const serveFlags = {
  ...settingFlags,
  resolve: repeated("resolve", "HOST:PORT:ADDRESS[:PORT]", "Connect to ADDRESS instead of HOST, as with curl --resolve; repeatable; * only if the service listens on loopback. --resolve '*:443:127.0.0.1:8443' (DOCGAUGE_RESOLVE)"),
  ...switchFlags
} as const

type ServeFlags = Command.Command.Config.Infer<typeof serveFlags>

/** The environment, overridden by the flags. */
const environmentOf = (flags: ServeFlags): { readonly [name: string]: string } => {
  const given = Struct.keys(SETTINGS).flatMap((name) => Option.match(flags[name], { onNone: () => [], onSome: (value) => [[SETTINGS[name][0], value] as const] }))
  const switchedOn = Struct.keys(SWITCHES).flatMap((name) => (flags[name] ? [[SWITCHES[name][0], "true"] as const] : []))
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries([
    ...own,
    ...given,
    ...switchedOn,
    ...(flags.resolve.length === 0 ? [] : [["DOCGAUGE_RESOLVE", flags.resolve.join(",")] as const])
  ])
}

export const serve = Command.make("serve", serveFlags, Effect.fn("serve")(function*(flags: ServeFlags) {
  const server = yield* Effect.promise(() => import("../../server/Serve.ts"))
  yield* server.serve.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environmentOf(flags))),
    Effect.mapError(({ message }) => new CliFailure({ code: ExitCode.wrongUsage, message }))
  )
})).pipe(
  Command.withDescription("Run the HTTP service. Each flag overrides the environment variable in brackets"),
  Command.withExamples([
    { command: "docgauge serve", description: "Listen on http://localhost:8080 with an SQLite file in data/" },
    { command: "docgauge serve --host 0.0.0.0 --base-url https://docgauge.example --trust-proxy 1", description: "Behind a proxy" }
  ])
)
