import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Norm } from "./Norms.ts"
import { isLater, newestOf, versionParts } from "./VersionParts.ts"

/** Origins that say what was released. Tests name a server on loopback. */
export interface ReleaseHosts {
  readonly github: string
  readonly npm: string
  readonly rfcEditor: string
  readonly datatracker: string
}

/** Whether there is a newer version could not be found out, and why. */
export class NotAsked extends Schema.TaggedError<NotAsked>()("NotAsked", { message: Schema.String }) {}

/** What was published since the version of a norm that we know, in words; empty: nothing, or the norm has no releases. */
export const publishedSince = (norm: Norm, hosts: ReleaseHosts): Effect.Effect<ReadonlyArray<string>, NotAsked> => {
  const [kind = "", ...rest] = (norm.releases ?? "").split(":")
  const [name = "", path] = rest
  if (kind === "npm") return newerPackage(norm, `${hosts.npm}/${name}/latest`)
  if (kind === "rfc") return newerRfc(norm, `${hosts.rfcEditor}/rfc/rfc${name}.json`)
  if (kind === "draft") return newerDraft(norm, `${hosts.datatracker}/api/v1/doc/document/${name}/?format=json`)
  if (kind !== "github") return Effect.succeed([])
  const repository = `${hosts.github}/repos/${name}`
  return path === undefined
    ? newerTag(norm, `${repository}/tags?per_page=100`)
    : newerText(norm, `${repository}/commits?path=${encodeURIComponent(path)}&per_page=1`)
}

const Tags = Schema.Array(Schema.Struct({ name: Schema.String }))

const newerTag = Effect.fnUntraced(function* (norm: Norm, url: string) {
  const tags = yield* ask(url, Tags)
  const newest = newestOf(tags.map(({ name }) => name))
  if (newest === null) return yield* new NotAsked({ message: `${url} names no version` })
  return yield* laterThanKnown(norm, newest)
})

const Commits = Schema.Array(
  Schema.Struct({ commit: Schema.Struct({ committer: Schema.Struct({ date: Schema.String }) }) })
)

/** Of a text without releases: the day of its last change. */
const newerText = Effect.fnUntraced(function* (norm: Norm, url: string) {
  const [last] = yield* ask(url, Commits)
  const known = norm.due?.date ?? norm.date
  if (last === undefined) return yield* new NotAsked({ message: `${url} knows no change of it` })
  if (known === undefined) return yield* new NotAsked({ message: "it has no date to compare with" })
  const changed = last.commit.committer.date.slice(0, "2026-08-10".length)
  return changed.slice(0, known.length) > known ? [`its text was changed on ${changed}`] : []
})

const Package = Schema.Struct({ version: Schema.String })

const newerPackage = Effect.fnUntraced(function* (norm: Norm, url: string) {
  return yield* laterThanKnown(norm, (yield* ask(url, Package)).version)
})

const Rfc = Schema.Struct({ obsoleted_by: Schema.Array(Schema.String), updated_by: Schema.Array(Schema.String) })

const newerRfc = Effect.fnUntraced(function* (norm: Norm, url: string) {
  const { obsoleted_by, updated_by } = yield* ask(url, Rfc)
  const read = norm.updates ?? []
  return [
    ...obsoleted_by.map((by) => `${rfcName(by)} obsoletes it`),
    ...updated_by.filter((by) => !read.includes(rfcNumber(by))).map((by) => `${rfcName(by)} updates it`)
  ]
})

const rfcNumber = (name: string): string => name.replace(/\D/g, "").slice(0, 5)
const rfcName = (name: string): string => `RFC ${rfcNumber(name)}`

const Draft = Schema.Struct({
  rev: Schema.String,
  rfc: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Number])))
})

const newerDraft = Effect.fnUntraced(function* (norm: Norm, url: string) {
  const { rev, rfc = null } = yield* ask(url, Draft)
  if (rfc !== null) return [`${rfcName(String(rfc))} was published of it`]
  return yield* laterThanKnown(norm, `draft-${rev}`)
})

const laterThanKnown = Effect.fnUntraced(function* (norm: Norm, newest: string) {
  const known = norm.due?.version ?? norm.version ?? ""
  const [parts, newestParts] = [versionParts(known), versionParts(newest)]
  if (parts === null || newestParts === null)
    return yield* new NotAsked({ message: `${newest} cannot be compared with ${known === "" ? "no version" : known}` })
  return isLater(newestParts, parts) ? [`${newest} is released`] : []
})

const TIMEOUT_MS = 20_000

/** A page of a hundred tags is 60 kB. */
const MOST_BYTES = 4_000_000

/** The JSON at a URL, as a schema wants it. */
const ask = <A>(url: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A, NotAsked> =>
  Effect.tryPromise({
    try: async (signal) => {
      const headers = { accept: "application/json", "user-agent": "docgauge npm run norms" }
      const response = await fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
      if (!response.ok) throw new Error(`answered ${response.status}`)
      return Schema.decodeUnknownSync(Schema.fromJsonString(schema))(await bounded(response))
    },
    catch: (error) => new NotAsked({ message: `${url}: ${error instanceof Error ? reason(error) : String(error)}` })
  })

/** The first line: a schema's message goes on to quote what it was given. */
const reason = (error: Error): string => {
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ""
  return `${error.message}${cause}`.split("\n", 1)[0] ?? ""
}

const bounded = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}
