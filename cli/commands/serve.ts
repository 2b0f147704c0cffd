import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Command, Flag } from "effect/cli"
import process from "node:process"
import { CliFailure, ExitCode } from "../io/CliFailure.ts"
import { FlagGroups, off, optionalText, repeated } from "../io/Flags.ts"

/** A setting of the environment that the command line may override: its variable and the value, if the flag was given. */
type Setting = Option.Option<readonly [variable: string, value: string]>

const single = (name: string, variable: string, metavar: string, description: string): Flag.Flag<Setting> =>
  Flag.map(
    optionalText(name, metavar, `${description} (${variable})`),
    Option.map((text) => [variable, text])
  )

const onOff = (name: string, variable: string, description: string): Flag.Flag<Setting> =>
  Flag.map(off(name, `${description} (${variable})`), (isOn) =>
    isOn ? Option.some([variable, "true"]) : Option.none()
  )

const several = (name: string, variable: string, metavar: string, description: string): Flag.Flag<Setting> =>
  Flag.map(repeated(name, metavar, `${description} (${variable})`), (texts) =>
    texts.length === 0 ? Option.none() : Option.some([variable, texts.join(",")])
  )

/**
 * The flags by the heading of the help under which they stand. Secrets have no flags: anyone on the machine can read another process's
 * flags.
 */
const flagGroups = {
  Service: {
    port: single("port", "PORT", "N", "Port to listen on. --port 8080"),
    host: single("host", "HOST", "ADDRESS", "Address to listen on. --host 0.0.0.0"),
    baseUrl: single(
      "base-url",
      "DOCGAUGE_BASE_URL",
      "URL",
      "Public URL of the service. --base-url https://docgauge.example"
    ),
    docsUrl: single(
      "docs-url",
      "DOCGAUGE_DOCS_URL",
      "URL",
      "Public URL of its documentation. --docs-url https://docgauge.example/docs"
    ),
    mcpUrl: single(
      "mcp-url",
      "DOCGAUGE_MCP_URL",
      "URL",
      "Public URL of its MCP server. --mcp-url https://docgauge.example/mcp"
    ),
    contact: single(
      "contact",
      "DOCGAUGE_CONTACT",
      "ADDRESS",
      "Contact address, shown at /bot. --contact mailto:crawler@docgauge.example"
    ),
    trustProxy: single(
      "trust-proxy",
      "DOCGAUGE_TRUST_PROXY",
      "N",
      "Number of trusted proxies in X-Forwarded-For. --trust-proxy 1"
    ),
    ownHostsOnly: onOff(
      "own-hosts-only",
      "DOCGAUGE_OWN_HOSTS_ONLY",
      "Refuse requests whose Host is neither in the service's own URLs nor loopback; always on while it listens on loopback"
    )
  },
  Storage: {
    databaseUrl: single(
      "database-url",
      "DOCGAUGE_DATABASE_URL",
      "URL",
      "Database for runs: file:PATH, postgres://… or memory:. --database-url file:data/docgauge.db"
    ),
    databaseConnections: single(
      "database-connections",
      "DOCGAUGE_DATABASE_CONNECTIONS",
      "N",
      "Maximum connections of this process to PostgreSQL. --database-connections 10"
    ),
    archives: single(
      "archives",
      "DOCGAUGE_ARCHIVES",
      "RULE",
      "Folder for archives and how many to keep: a folder, keep=N, days=N, total=SIZE, or off. --archives data/archives,keep=2"
    ),
    retention: single(
      "retention",
      "DOCGAUGE_RETENTION",
      "RULE",
      "Finished runs to keep: keep=N, days=N, or off for all. --retention keep=20,days=365"
    )
  },
  Audits: {
    role: single(
      "role",
      "DOCGAUGE_ROLE",
      "ROLE",
      "What this process does: all, or on PostgreSQL web (no audits) or worker (only audits). --role worker"
    ),
    rubric: single(
      "rubric",
      "DOCGAUGE_RUBRIC",
      "FILE",
      "Use this rubric instead of the built-in one. --rubric ./rubric.yaml"
    ),
    allowPlugins: onOff(
      "allow-plugins",
      "DOCGAUGE_ALLOW_PLUGINS",
      "Run plugins that the rubric names by path or package"
    ),
    gatherSeconds: single(
      "gather-seconds",
      "DOCGAUGE_GATHER_SECONDS",
      "N",
      "Time limit for fetching, in seconds. --gather-seconds 100"
    ),
    concurrentAudits: single(
      "concurrent-audits",
      "DOCGAUGE_CONCURRENT_AUDITS",
      "N",
      "Audits that run at the same time. --concurrent-audits 4"
    ),
    graceSeconds: single(
      "grace-seconds",
      "DOCGAUGE_GRACE_SECONDS",
      "N",
      "How long running audits may continue at shutdown, in seconds. --grace-seconds 6"
    )
  },
  Limits: {
    submitRate: single(
      "submit-rate",
      "DOCGAUGE_SUBMIT_RATE",
      "RATE",
      "Rate limit for submitting audits, per client. --submit-rate 2/60s"
    ),
    targetWindow: single(
      "target-window",
      "DOCGAUGE_TARGET_WINDOW",
      "SPAN",
      "How long a cached report answers for a URL. --target-window 10m"
    ),
    siteQuota: single(
      "site-quota",
      "DOCGAUGE_SITE_QUOTA",
      "RATE",
      "Rate limit for audits of one site, per network. --site-quota 1/24h"
    ),
    verifiedQuota: single(
      "verified-quota",
      "DOCGAUGE_VERIFIED_QUOTA",
      "RATE",
      "The same for sites that their owners verified; with off, sites cannot be verified. --verified-quota 1/10m"
    ),
    pollRate: single(
      "poll-rate",
      "DOCGAUGE_POLL_RATE",
      "RATE",
      "Rate limit for reading runs, per client. --poll-rate 30/30s"
    ),
    browseRate: single(
      "browse-rate",
      "DOCGAUGE_BROWSE_RATE",
      "RATE",
      "Rate limit for browsing, per client. --browse-rate 20/4s"
    ),
    fixRate: single(
      "fix-rate",
      "DOCGAUGE_FIX_RATE",
      "RATE",
      "Rate limit for making plans and files from archives, per client. --fix-rate 5/60s"
    ),
    clientRuns: single(
      "client-runs",
      "DOCGAUGE_CLIENT_RUNS",
      "N",
      "Maximum audits waiting or running, per network. --client-runs 2"
    ),
    networkRuns: single(
      "network-runs",
      "DOCGAUGE_NETWORK_RUNS",
      "N",
      "The same per IPv4 /16 or IPv6 /48; a tenth of the queue unless set. --network-runs 100"
    ),
    queueLimit: single("queue-limit", "DOCGAUGE_QUEUE_LIMIT", "N", "Maximum length of the queue. --queue-limit 1000")
  },
  Network: {
    hostBudget: single(
      "host-budget",
      "DOCGAUGE_HOST_BUDGET",
      "RATE",
      "Limit of requests to one registrable domain. --host-budget 600/1h"
    ),
    refusedRanges: single(
      "refused-ranges",
      "DOCGAUGE_REFUSED_RANGES",
      "RANGES",
      "Ranges of addresses never to contact, besides private ones. --refused-ranges 203.0.113.0/24,2001:db8:64::/96"
    ),
    allowPrivate: onOff("allow-private", "DOCGAUGE_ALLOW_PRIVATE", "Audit hosts that are not public"),
    allowHttp: onOff("allow-http", "DOCGAUGE_ALLOW_HTTP", "Audit http:// URLs"),
    resolve: several(
      "resolve",
      "DOCGAUGE_RESOLVE",
      "HOST:PORT:ADDRESS[:PORT]",
      "Connect to ADDRESS instead of HOST, as with curl --resolve; repeatable; * only if the service listens on loopback. --resolve '*:443:127.0.0.1:8443'"
    )
  },
  Tokens: {
    adminJwksUrl: single(
      "admin-jwks-url",
      "DOCGAUGE_ADMIN_JWKS_URL",
      "URL",
      "JWKS with the public keys of operators' tokens. --admin-jwks-url https://id.example/keys"
    ),
    adminJwtIssuer: single(
      "admin-jwt-issuer",
      "DOCGAUGE_ADMIN_JWT_ISSUER",
      "TEXT",
      "Required iss claim. --admin-jwt-issuer https://id.example"
    ),
    adminJwtAudience: single(
      "admin-jwt-audience",
      "DOCGAUGE_ADMIN_JWT_AUDIENCE",
      "TEXT",
      "Required aud claim. --admin-jwt-audience docgauge"
    ),
    mcpTokenTtl: single(
      "mcp-token-ttl",
      "DOCGAUGE_MCP_TOKEN_TTL",
      "SPAN",
      "Lifetime of MCP access tokens. --mcp-token-ttl 15m"
    )
  }
} as const

const serveFlags = {
  ...flagGroups.Service,
  ...flagGroups.Storage,
  ...flagGroups.Audits,
  ...flagGroups.Limits,
  ...flagGroups.Network,
  ...flagGroups.Tokens
} as const

/** The environment, overridden by the flags. */
const environmentOf = (flags: Command.Command.Config.Infer<typeof serveFlags>): { readonly [name: string]: string } => {
  const own = Object.entries(process.env).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
  return Object.fromEntries([...own, ...Object.values(flags).flatMap(Option.toArray)])
}

export const serve = Command.make(
  "serve",
  serveFlags,
  Effect.fn("serve")(function* (flags) {
    const server = yield* Effect.promise(() => import("../../server/Serve.ts"))
    yield* server.serve.pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environmentOf(flags))),
      Effect.mapError(({ message }) => new CliFailure({ code: ExitCode.wrongUsage, message }))
    )
  })
).pipe(
  Command.annotate(FlagGroups, flagGroups),
  Command.withShortDescription("Run the HTTP service"),
  Command.withDescription("Run the HTTP service. Each flag overrides the environment variable in brackets"),
  Command.withExamples([
    { command: "docgauge serve", description: "Listen on http://localhost:8080 with an SQLite file in data/" },
    {
      command: "docgauge serve --host 0.0.0.0 --base-url https://docgauge.example --trust-proxy 1",
      description: "Behind a proxy"
    }
  ])
)
