import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { auditOver } from "../audit/AuditOver.ts"
import { CORPUS, extractSites, hasCorpus } from "../corpus/CorpusServer.ts"
import { goldenSites } from "../golden/GoldenSites.ts"
import { SEED_KINDS, type SeedKind } from "./Target.ts"

/** Files to change, by kind; read when they are wanted. Every kind has one at least. */
export type Seeds = Readonly<Record<SeedKind, ReadonlyArray<() => Uint8Array>>>

/** Larger files are changed at their beginning only: parsers of megabytes would leave little time for anything else. */
const LONGEST_SEED = 200 * 1024

const kindOf = (name: string, body: string): SeedKind => {
  if (name.endsWith("robots.txt")) return "robots"
  if (/llms[^/]*\.txt$|^(?:cc__|.*__llms)/.test(name)) return "llms"
  if (/\.(?:graphql|gql|graphqls)$/.test(name)) return "graphql"
  const start = body.trimStart().slice(0, 1)
  if (/\.(?:json|map)$/.test(name) || start === "{" || start === "[") return "json"
  if (/\.ya?ml$/.test(name) || /^(?:openapi|swagger|asyncapi):/m.test(body.slice(0, 2_000))) return "yaml"
  if (/\.(?:xml|rss|atom)$/.test(name) || body.startsWith("<?xml")) return "xml"
  if (/\.mdx?$/.test(name) || start === "#") return "markdown"
  return start === "<" ? "html" : "text"
}

const put = (seeds: Record<SeedKind, Array<() => Uint8Array>>, kind: SeedKind, bytes: () => Uint8Array): void => {
  seeds[kind].push(() => bytes().subarray(0, LONGEST_SEED))
}

/** Every file of our golden sites, the archives of their audits, and a few lines of each kind that they lack. */
const addOwn = async (seeds: Record<SeedKind, Array<() => Uint8Array>>): Promise<void> => {
  for (const { site, url } of goldenSites) {
    for (const [path, answer] of Object.entries(site)) {
      const body =
        typeof answer === "string"
          ? answer
          : typeof answer === "object" && "body" in answer && typeof answer.body === "string"
            ? answer.body
            : null
      if (body !== null && body !== "") put(seeds, kindOf(path, body), () => Buffer.from(body))
    }
    const { archive } = await Effect.runPromise(auditOver(layerFakeSite(site, { host: new URL(url).origin }), url))
    const bytes = await Effect.runPromise(archive)
    put(seeds, "warc", () => bytes)
    put(seeds, "warc", () => gunzipSync(bytes))
  }
  for (const [kind, text] of EXAMPLES) put(seeds, kind, () => Buffer.from(text))
}

const EXAMPLES: ReadonlyArray<readonly [SeedKind, string]> = [
  [
    "http",
    'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset="utf-8"\r\nRetry-After: 120\r\nLink: </llms.txt>; rel="llms-txt"; type="text/plain", <b>; rel=next\r\n\r\n<p>Body</p>'
  ],
  [
    "http",
    "HTTP/1.1 301 Moved\r\nLocation: https://docs.example.com/a\r\nTransfer-Encoding: chunked\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
  ],
  [
    "graphql",
    '"""A query."""\ntype Query {\n  "One." thing(id: ID!, kind: Kind = A): Thing\n}\nenum Kind { A B }\ninput New { name: String! }\ntype Mutation { add(new: New!): Thing! @deprecated(reason: "x") }\ntype Thing implements Node { id: ID! tags: [[String!]!] }\ninterface Node { id: ID! }\nscalar Date\n'
  ],
  [
    "yaml",
    'openapi: 3.1.0\ninfo: &i\n  title: Things\n  version: "1"\nservers: [{url: https://api.example.com}]\npaths:\n  /things/{id}:\n    get:\n      operationId: read\n      parameters:\n        - {name: id, in: path, required: true, schema: {type: string}}\n      responses:\n        "200":\n          description: A thing\n          content:\n            application/json:\n              schema: {$ref: "#/components/schemas/Thing"}\ncomponents:\n  schemas:\n    Thing:\n      type: object\n      properties:\n        id: {type: string, pattern: ^a+$}\n        next: {$ref: "#/components/schemas/Thing"}\n'
  ],
  [
    "yaml",
    'asyncapi: 3.0.0\ninfo: {title: Events, version: 1.0.0}\nchannels:\n  made:\n    address: things.made\n    messages:\n      made: {payload: {type: object, properties: {id: {type: string}}}}\noperations:\n  onMade:\n    action: receive\n    channel: {$ref: "#/channels/made"}\n'
  ],
  [
    "json",
    '{"asyncapi":"2.6.0","info":{"title":"E","version":"1"},"channels":{"a/{b}":{"subscribe":{"message":{"oneOf":[{"payload":{"type":"string"}}]}}}}}'
  ],
  [
    "json",
    '{"openrpc":"1.3.2","info":{"title":"R","version":"1"},"methods":[{"name":"add","params":[{"name":"a","schema":{"$ref":"#/components/schemas/N"}}],"result":{"name":"r","schema":{"type":"number"}}}],"components":{"schemas":{"N":{"type":"integer"}}}}'
  ],
  [
    "json",
    '{"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"Folder","item":[{"name":"Read","request":{"method":"GET","header":[],"url":{"raw":"{{base}}/a/:id?x=1","query":[{"key":"x","value":"1"}]}},"response":[{"code":200,"body":"{}"}]}]}]}'
  ],
  [
    "json",
    '{"client_id":"https://client.example/app.json","client_name":"App","redirect_uris":["http://127.0.0.1:7777/cb","cursor://x/y"],"grant_types":["authorization_code"]}'
  ],
  [
    "json",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"audit","arguments":{"base_url":"https://docs.example.com"}}}\n'
  ],
  [
    "json",
    '{"linkset":[{"anchor":"https://docs.example.com","service-desc":[{"href":"/openapi.json","type":"application/json"}]}]}'
  ],
  [
    "xml",
    '<?xml version="1.0"?><rss><channel><lastBuildDate>Sat, 21 Nov 2026 10:00:00 GMT</lastBuildDate><item><pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>'
  ],
  ["text", "docs.example.com:443:[::1]:8443\nhttps://docs.example.com/a\n"],
  ["text", "base_url=https%3A%2F%2Fdocs.example.com%2Fv2&x=%00+\n"],
  ["text", "21 November 2026, 2026-11-21, Nov 21st, 2026 and 11/21/2026\n"]
]

/** Extracts the corpus of real files into `folder` (which is made), once for all processes that fuzz. */
export const extractCorpus = async (folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  for (const name of ["specs", "llms"]) execFileSync("tar", ["-xJf", join(CORPUS, `${name}.tar.xz`), "-C", folder])
  await extractSites(join(folder, "sites"))
}

const addCorpus = (seeds: Record<SeedKind, Array<() => Uint8Array>>, folder: string): void => {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) {
    if (!/\.(?:html?|mdx?|txt|xml|json|ya?ml|graphqls?)$/.test(file) || statSync(file).size === 0) continue
    put(seeds, kindOf(file, readFileSync(file, { encoding: "utf8" }).slice(0, 2_000)), () => readFileSync(file))
  }
}

/** All seeds; those of the corpus where it was extracted to `corpus`. */
export const readSeeds = async (corpus: string | null): Promise<Seeds> => {
  const seeds = Object.fromEntries(SEED_KINDS.map((kind) => [kind, []])) as unknown as Record<
    SeedKind,
    Array<() => Uint8Array>
  >
  await addOwn(seeds)
  if (corpus !== null) addCorpus(seeds, corpus)
  return seeds
}

export { hasCorpus }
