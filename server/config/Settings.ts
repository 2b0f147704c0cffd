import * as Config from "effect/Config"
import * as Result from "effect/Result"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import { ipLiteral, parseRange } from "../../engine/evidence/http/PublicAddress.ts"
import { parseResolveRule, type ResolveRule } from "../../engine/evidence/http/Destination.ts"
import { trimTrailingSlashes } from "../../engine/text/WhiteSpace.ts"
import { setting } from "../../engine/config/Setting.ts"

/*
 * Settings from the environment. Each is read by the layer that needs it; an invalid value fails the start with one line that
 * names its variable.
 */

const DEFAULT_PORT = 8080

/** The port to listen on; 0 lets the system choose. */
export const port: Config.Config<number> = setting("PORT", String(DEFAULT_PORT), (text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Result.succeed(Number(text))
    : Result.fail("give a port from 0 to 65535")
)

/** Address to listen on. */
export const host: Config.Config<string> = setting("HOST", "127.0.0.1", (text) =>
  /^[^\s/]{1,255}$/.test(text)
    ? Result.succeed(text)
    : Result.fail("give an address or a host name, such as 127.0.0.1 or 0.0.0.0")
)

/** Whether only this machine can reach that address. */
export const isLoopback = (address: string): boolean => {
  const literal = ipLiteral(address)
  return literal === null ? address.toLowerCase() === "localhost" : literal === "::1" || literal.startsWith("127.")
}

const address = (text: string): Result.Result<string, string> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" && url.username === ""
    ? Result.succeed(trimTrailingSlashes(url.href))
    : Result.fail("give an http or https URL, such as https://docgauge.example")
}

/** URLs of the service, without a trailing slash. */
export interface Addresses {
  readonly base: string
  readonly docs: string
  readonly mcp: string
}

/** `null`: not set. */
const givenBase: Config.Config<string | null> = setting("DOCGAUGE_BASE_URL", "", (text) =>
  text === "" ? Result.succeed(null) : address(text)
)

/** The default URL of the service, on its own machine. If the system chooses the port, it is not known yet. */
const baseAddress: Config.Config<string> = Config.map(
  Config.all({ givenBase, port }),
  ({ givenBase, port }) => givenBase ?? `http://localhost:${port === 0 ? DEFAULT_PORT : port}`
)

export const addresses: Config.Config<Addresses> = Config.flatMap(baseAddress, (base) =>
  Config.all({
    base: Config.succeed(base),
    docs: setting("DOCGAUGE_DOCS_URL", `${base}/docs`, address),
    mcp: setting("DOCGAUGE_MCP_URL", `${base}/mcp`, address)
  })
)

/** The URL in our `User-Agent`; `null` unless others can reach it. */
export const agentAddress: Config.Config<string | null> = Config.map(givenBase, (base) =>
  base === null || isLoopback(new URL(base).hostname) ? null : base
)

/** Contact for operators of audited sites: a `mailto:` or https URL; `null` if there is none. */
export const contact: Config.Config<string | null> = setting("DOCGAUGE_CONTACT", "", (text) => {
  if (text === "") return Result.succeed(null)
  return /^(?:mailto:[^\s@<>()]+@[^\s@<>()]+|https:\/\/[^\s<>()]+)$/.test(text)
    ? Result.succeed(text)
    : Result.fail("give a mailto: or https: URL, such as mailto:crawler@docgauge.example")
})

/** The URL of the licence under which the data of the corpus can be used. */
export const dataLicense: Config.Config<string> = setting(
  "DOCGAUGE_DATA_LICENSE",
  "https://creativecommons.org/publicdomain/zero/1.0/",
  (text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.href.length <= LONGEST_LICENSE
      ? Result.succeed(url.href)
      : Result.fail("give the http or https URL of a licence, such as https://creativecommons.org/licenses/by/4.0/")
  }
)

const LONGEST_LICENSE = 2_048

const flag = (name: string, fallback: "true" | "false" = "false") =>
  setting(name, fallback, (text) => {
    if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return Result.succeed(true)
    return ["false", "0", "no", "off", ""].includes(text.toLowerCase())
      ? Result.succeed(false)
      : Result.fail("give true or false")
  })

/** Whether only requests under the service's own host names are accepted, wherever it listens. */
export const ownHostsOnly: Config.Config<boolean> = flag("DOCGAUGE_OWN_HOSTS_ONLY")

/** Which sites may be audited besides public https sites. */
interface ReachSettings {
  readonly allowPrivate: boolean
  readonly allowHttp: boolean
  readonly resolve: ReadonlyArray<ResolveRule>
  /** Ranges of addresses that are never contacted, as `parseRange` gives them. */
  readonly refusedRanges: ReadonlyArray<string>
}

const listed = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const rules = (text: string): Result.Result<ReadonlyArray<ResolveRule>, string> =>
  Result.mapError(Result.all(listed(text).map(parseResolveRule)), (problem) => `${problem}, as in *:443:127.0.0.1:8443`)

/** A rule for every name is safe only on loopback: remote clients could audit anything under any name. */
const onlyOnLoopback = ({
  address,
  resolve
}: {
  readonly address: string
  readonly resolve: ReadonlyArray<ResolveRule>
}) =>
  resolve.some(({ host }) => host === "*") && !isLoopback(address)
    ? Result.fail("a rule for * is allowed only if HOST is a loopback address")
    : Result.succeed(resolve)

export const reach: Config.Config<ReachSettings> = Config.flatMap(host, (address) =>
  Config.all({
    allowPrivate: flag("DOCGAUGE_ALLOW_PRIVATE"),
    allowHttp: flag("DOCGAUGE_ALLOW_HTTP"),
    refusedRanges: setting("DOCGAUGE_REFUSED_RANGES", "", (text) => Result.all(listed(text).map(parseRange))),
    resolve: setting("DOCGAUGE_RESOLVE", "", (text) =>
      Result.flatMap(rules(text), (resolve) => onlyOnLoopback({ address, resolve }))
    )
  })
)

const MOST_PROXIES = 16

/** In seconds: as long as an audit of the command line, because a synchronous request gets a 504 after 120 s. */
const LONGEST_GATHERING = defaultLimits.gatherMs / 1_000

/** Number of trusted proxies in `X-Forwarded-For`. */
export const trustedProxies: Config.Config<number> = setting("DOCGAUGE_TRUST_PROXY", "0", (text) =>
  /^\d{1,2}$/.test(text) && Number(text) <= MOST_PROXIES
    ? Result.succeed(Number(text))
    : Result.fail(`give the number of proxies, 0 to ${MOST_PROXIES}`)
)

/** Time limit for fetching, in seconds. */
export const gatherSeconds: Config.Config<number> = setting(
  "DOCGAUGE_GATHER_SECONDS",
  String(LONGEST_GATHERING),
  (text) =>
    /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LONGEST_GATHERING
      ? Result.succeed(Number(text))
      : Result.fail(`give a whole number of seconds, 1 to ${LONGEST_GATHERING}`)
)

/** Whether owners of sites may have webhooks, and anything is sent to them. */
export const webhooksOn: Config.Config<boolean> = flag("DOCGAUGE_WEBHOOKS", "true")

/** Whether a rubric may name external plugins. */
export const allowPlugins: Config.Config<boolean> = flag("DOCGAUGE_ALLOW_PLUGINS")

/** The rubric file; `null`: the package's own. */
export const rubricFile: Config.Config<string | null> = Config.map(
  setting("DOCGAUGE_RUBRIC", "", (text) => Result.succeed(text)),
  (text) => (text === "" ? null : text)
)
