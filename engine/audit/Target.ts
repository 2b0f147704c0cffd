import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { domainToUnicode } from "node:url"
import { nameFault, normalise, plainForm, withoutFinalDots } from "../evidence/Address.ts"
import { ipLiteral, isPrivateHost } from "../evidence/http/PublicAddress.ts"
import { type ResolveRule, ruleFor } from "../evidence/http/Destination.ts"

/** Why a URL is not audited, told from its spelling alone: nothing has been looked up. */
export class BadTarget extends Schema.TaggedError<BadTarget>()("BadTarget", {
  code: Schema.Literals(["invalid_base_url", "http_not_supported", "not_public_address"]),
  /** What is wrong, in one plain clause. */
  message: Schema.String
}) {}

/** What the operator of this docgauge lets through. */
export interface TargetRules {
  readonly allowHttp: boolean
  /** Addresses and names that are not public, too. */
  readonly allowPrivate: boolean
  /** Ports other than the scheme's own, from 1024 on. */
  readonly allowPorts: boolean
  /** Names that are mapped to an address, and so count as public. */
  readonly resolve: ReadonlyArray<ResolveRule>
}

/** In characters, as given and as normalised. */
const LONGEST = 2_048

const bad = (code: BadTarget["code"], message: string) => Result.fail(new BadTarget({ code, message }))

/**
 * Parses the URL of a documentation site: absolute, normalised, without query, fragment and trailing slash, which say nothing of which
 * site it is. The host stays as given, internationalised or as an A-label; `plainForm` is the same for both.
 */
export const parseTarget = (text: string, rules: TargetRules): Result.Result<string, BadTarget> => {
  if (text.length > LONGEST) return bad("invalid_base_url", `it is longer than ${LONGEST} characters`)
  const url = URL.parse(text.trim())
  if (url === null || url.hostname === "")
    return bad("invalid_base_url", "it is not an absolute URL, such as https://docs.example.com")
  const fault = nameFault(withoutFinalDots(url.hostname))
  if (fault !== null) return bad("invalid_base_url", fault)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return bad("invalid_base_url", `only https:// URLs are supported, not ${url.protocol}`)
  if (url.username !== "" || url.password !== "") return bad("invalid_base_url", "it contains a user name or password")
  const port = Number(url.port || "0")
  if (port !== 0 && (!rules.allowPorts || port < 1024))
    return bad(
      "invalid_base_url",
      rules.allowPorts
        ? `port ${port} is not allowed: only 1024 and above are, or none`
        : `port ${port} is not allowed, leave it out`
    )
  if (url.protocol === "http:" && !rules.allowHttp) return bad("http_not_supported", "only https:// URLs are supported")
  const literal = ipLiteral(url.hostname)
  if (!rules.allowPrivate && ruleFor(rules.resolve, url.hostname, portOf(url)) === null) {
    if (isPrivateHost(url.hostname)) {
      return bad("not_public_address", `${url.hostname} is not public`)
    }
    if (literal !== null) return bad("invalid_base_url", "it is an IP address, not a host name")
  }
  url.search = ""
  url.hash = ""
  const address = plainForm(url.href)
  if (address.length > LONGEST) return bad("invalid_base_url", `it is longer than ${LONGEST} characters after encoding`)
  // Such as `1.2.3.4.5..`, which only looks like a name because of its dots.
  if (normalise(url.href) === null) return bad("invalid_base_url", "its host name is not valid")
  return Result.succeed(asGiven(text, address))
}

/** Query and fragment of a URL, which `parseTarget` leaves out, such as `?a=1` and `#top`; empty where it has none. */
export const leftOutOf = (text: string): { readonly query: string; readonly fragment: string } => {
  const url = URL.parse(text.trim())
  return { query: url?.search ?? "", fragment: url?.hash ?? "" }
}

/** The URL as it was typed, to be asked first: `url` with the query and the slash at the end of `text`. */
export const asTyped = (text: string, url: string): string => {
  const { pathname, search } = new URL(text.trim())
  return `${url}${pathname.endsWith("/") && (pathname !== "/" || search !== "") ? "/" : ""}${search}`
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === "https:" ? 443 : 80))

const HOST = /^\s*https?:[/\\]*([^/\\?#]*)/i

/** What is not shown as it is: marks that cannot be seen, and directions of writing. */
const UNSEEN = /\p{C}/u

/** The URL under its U-label where its host was not given in plain letters. */
const asGiven = (text: string, address: string): string => {
  if (!/[^\0-\x7f]|%/.test(HOST.exec(text)?.[1] ?? "")) return address
  const { hostname } = new URL(address)
  const name = domainToUnicode(hostname)
  const given = address.replace(`//${hostname}`, `//${name}`)
  return name === "" || UNSEEN.test(name) || plainForm(given) !== address ? address : given
}
