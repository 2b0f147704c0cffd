import type { CodeBlock } from "../../page/Page.ts"
import { hasPath, isOnOwnServer, isUsersServer, type OwnServers } from "./OwnAddress.ts"

/** What is searched of a block, in characters. */
const SEARCHED = 5_000

export const searched = ({ text }: Pick<CodeBlock, "text">): string => text.slice(0, SEARCHED)

const CURL = /(?:^|[\s$`(])curl\s/m

/** Options that a download does without: method, header, body, user. */
const SENDS = /\s(?:-X|-H|-d|-u|-F|--(?:request|header|data|data-[a-z]{1,12}|json|form|user|url))[\s=']/

/** HTTPie and xh: `http POST example.com/orders`. */
const COMMAND = /^\s{0,8}(?:\$ )?(?:https?|xhs?) (?:GET|POST|PUT|PATCH|DELETE) \S/m

/** A command that sends a request. */
export const isCommand = (block: Pick<CodeBlock, "text">): boolean => {
  const start = searched(block)
  return (CURL.test(start) && SENDS.test(start)) || COMMAND.test(start)
}

const URLS = /https?:\/\/[^\s"'`)\\]{1,300}|["'`]\$?\{[\w.]{1,60}\}\/[^\s"'`)\\]{1,300}/g

/** Addresses in a block, those on servers that users name among them. */
export const addressesIn = (block: Pick<CodeBlock, "text">): ReadonlyArray<string> =>
  (searched(block).match(URLS) ?? []).map((address) => address.replace(/^["'`]/, ""))

/** Clients of HTTP by language; what is called after one is its own library. */
const CLIENTS: ReadonlyArray<readonly [name: string, use: RegExp]> = [
  ["requests", /\brequests\b/],
  ["httpx", /\bhttpx\b/],
  ["aiohttp", /\baiohttp\b/],
  ["urllib", /\burllib\d?\b|\bhttp\.client\b/],
  ["fetch", /\bfetch\s?\(|\bXMLHttpRequest\b|\$\.(?:ajax|get|post|getJSON)\(/],
  ["axios", /\baxios\b/],
  ["superagent", /\bsuperagent\b/],
  ["got", /\bgot(?:\.(?:get|post|put|patch|delete))?\(/],
  ["ky", /\bky\.(?:get|post|put|patch|delete)\(/],
  ["go", /\bhttp\.(?:NewRequest(?:WithContext)?|Get|Post|PostForm)\(/],
  ["java", /\bHttp(?:Client|Request|URLConnection|Post|Get|Put|Delete)\b|\bRestTemplate\b|\bUnirest\b|\bWebClient\b/],
  ["okhttp", /\bOkHttpClient\b/],
  ["retrofit", /\bRetrofit\b/],
  ["php", /\bcurl_(?:init|setopt|exec)\b|\bfile_get_contents\(/],
  ["guzzle", /\bGuzzleHttp\b/],
  ["ruby", /\bNet::HTTP\b/],
  ["faraday", /\bFaraday\b/],
  ["httparty", /\bHTTParty\b/],
  ["restclient", /\bRestClient\b/],
  ["restsharp", /\bRestSharp\b|\bRestRequest\b/],
  ["flurl", /\bFlurl\b/],
  ["reqwest", /\breqwest\b/],
  ["ureq", /\bureq\b/],
  ["httr", /\bhttr2?::/],
  ["swift", /\bURLSession\b/],
  ["powershell", /\bInvoke-(?:RestMethod|WebRequest)\b/i],
  ["curl", CURL]
]

const usesClient = (text: string, { names }: OwnServers): boolean =>
  CLIENTS.some(([name, use]) => !names.has(name) && use.test(text))

/** An address of an API and not of a page: by its host, or by a segment. */
const API_HOST =
  /^https?:\/\/(?:[\w-]{1,60}\.){0,3}(?:[\w-]{1,40}-)?(?:apis?|rest|graphql|gateway|rpc)\d?(?:-[\w-]{1,40})?\./i
const API_PATH = /^[^?#]{0,300}?\/(?:apis?|rest|graphql|rpc|v\d{1,3})(?:[/?#]|$)/i

export const isApiAddress = (address: string): boolean => API_HOST.test(address) || API_PATH.test(address)

/** Something that no request for a page has. */
const SENDS_MORE =
  /\b(?:Authorization|Bearer|x-api-key|api[-_]?key)\b|\bmethod["']?\s{0,4}[:=]{1,2}\s{0,4}["'](?:POST|PUT|PATCH|DELETE)|\.(?:post|put|patch|delete)\(|["'](?:POST|PUT|PATCH|DELETE)["']/i

/**
 * Addresses of the product's API that a block calls by a client of HTTP: one of an API's form on its own domain, one that is sent a
 * credential or a change, or any path on a user's server.
 */
export const calledAddresses = (block: Pick<CodeBlock, "text">, own: OwnServers, docsHost: string): CalledAddresses => {
  const text = searched(block)
  const addresses = addressesIn(block)
  if (addresses.length === 0 || !usesClient(text, own)) return { own: [], users: [] }
  const sendsMore = SENDS_MORE.test(text)
  return {
    own: addresses.filter(
      (address) =>
        isOnOwnServer(address, own) &&
        (isApiAddress(address) || (sendsMore && URL.parse(address)?.hostname !== docsHost))
    ),
    users: addresses.filter((address) => isUsersServer(address) && hasPath(address))
  }
}

export interface CalledAddresses {
  readonly own: ReadonlyArray<string>
  readonly users: ReadonlyArray<string>
}
