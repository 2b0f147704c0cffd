import { COUNTED_AGENTS, type LogAgent, makeAgentReader, ownCopy } from "../agents/LogAgents.ts"
import type { IsPublished } from "../agents/PublishedLists.ts"
import type { Hit } from "../read/Hit.ts"
import { isMarkdownPath } from "../../text/UrlPath.ts"
import { isAsset, isScanned, type PathCount, type PathForm, PathTable } from "./PathTable.ts"

interface TallyOptions {
  /** Lines that name another host are counted and left out; `null`: all hosts are one site. */
  readonly host: string | null
  readonly isPublished: IsPublished
}

/** Addresses from which llms.txt was read that are kept. */
const MOST_READERS = 10_000

/** Milliseconds in which a page that a reader of llms.txt asks for counts as what it went on to. */
const WENT_ON_WITHIN = 3_600_000

/** Hosts that are named at most. */
const MOST_HOSTS = 100

interface LlmsReader {
  readonly time: number
  wentOn: boolean
  toMarkdown: boolean
}

/** Adds up the requests of access logs. What it keeps does not grow with their length. */
export class Tally {
  readonly paths = new PathTable()
  readonly agents: ReadonlyArray<AgentTally> = COUNTED_AGENTS.map(newAgentTally)
  readonly everyone = { browser: 0, crawler: 0, docgauge: 0, unknown: 0 }
  readonly hosts = new Set<string>()
  readonly llms = { readers: 0, wentOn: 0, toMarkdown: 0 }
  requests = 0
  otherHosts = 0
  /** Requests of scripts that only scans send; an agent that asks for a missing /guide.php means a page. */
  scans = 0
  first: number | null = null
  last: number | null = null
  /** Whether a line had a media type, and an `Accept`: without them it is not known what was negotiated. */
  hasMediaType = false
  hasAccept = false
  readonly #options: TallyOptions
  readonly #agentOf = makeAgentReader()
  readonly #indexes: ReadonlyMap<LogAgent, number> = new Map(COUNTED_AGENTS.map((agent, index) => [agent, index]))
  /** By address, then by agent. */
  readonly #readers = new Map<string, Map<string, LlmsReader>>()

  constructor(options: TallyOptions) {
    this.#options = options
  }

  readonly add = (hit: Hit): void => {
    if (hit.host !== "") {
      if (this.#options.host !== null && hit.host !== this.#options.host) {
        this.otherHosts += 1
        return
      }
      if (this.hosts.size < MOST_HOSTS && !this.hosts.has(hit.host)) this.hosts.add(ownCopy(hit.host))
    }
    this.requests += 1
    if (hit.time !== null) {
      if (this.first === null || hit.time < this.first) this.first = hit.time
      if (this.last === null || hit.time > this.last) this.last = hit.time
    }
    this.hasMediaType ||= hit.mediaType !== null
    this.hasAccept ||= hit.accept !== null
    const agent = this.#agentOf(hit.userAgent, hit.accept, isMarkdown(hit) && !isMarkdownPath(hit.path))
    const index = this.#indexes.get(agent)
    if (index !== undefined) return this.#addRead(hit, index)
    if (isEveryone(agent.kind)) this.everyone[agent.kind] += 1
    // Where it is not known who asks, every page would seem to be unread.
    if (agent.kind === "unknown") return
    if (isRead(hit) && (hit.status === 200 || hit.status === 304)) this.#addKnown(hit.path)
  }

  /** A page that others than agents are answered with: it shows what there is to read. */
  #addKnown(path: string): void {
    if (isAsset(path) || isScanned(path)) return
    const id = this.paths.idOf(path, false)
    if (id !== -1) this.paths.setKnown(id)
  }

  #addRead(hit: Hit, index: number): void {
    const tally = this.agents[index]
    if (tally === undefined) return
    if (tally.agent.kind === "script" && hit.status >= 400 && isScanned(hit.path)) {
      this.scans += 1
      return
    }
    tally.requests += 1
    tally.bytes += hit.bytes
    this.#addOrigin(tally, hit.address)
    if (!isRead(hit)) {
      tally.forms.other += 1
      tally.outcomes[outcomeOf(hit.status)] += 1
      return
    }
    const id = this.paths.idOf(hit.path, hit.status === 404 || hit.status === 410)
    const pathForm = this.paths.formOf(id, hit.path)
    const form = readFormOf(pathForm, hit)
    const outcome = isSoft404(pathForm, hit) ? "soft_404" : outcomeOf(hit.status)
    tally.forms[form] += 1
    tally.outcomes[outcome] += 1
    if (outcome === "answered" && !NO_TEXT.has(form)) tally.textBytes += hit.bytes
    this.#addLlmsUse(hit, tally, form, outcome)
    if (id === -1) {
      this.paths.beyond += 1
      return
    }
    this.paths.add(id, "asked")
    this.paths.addAgent(id, index)
    const count = COUNT_OF[outcome]
    this.paths.add(id, count)
    if (outcome === "answered" && hit.method === "GET") this.paths.addSize(id, hit.bytes)
    if (count === "answered") this.paths.setKnown(id)
  }

  #addOrigin({ agent: { kind, name }, from }: AgentTally, address: string): void {
    if (kind === "script") return
    const isPublished = this.#options.isPublished(name, address)
    from[isPublished === null ? "unknown" : isPublished ? "published" : "other"] += 1
  }

  #addLlmsUse({ address, time }: Hit, { agent }: AgentTally, form: ReadForm, outcome: AnswerKind): void {
    if (time === null || address === "") return
    const isIndex = form === "llms_txt" && (outcome === "answered" || outcome === "not_modified")
    if (!isIndex && !PAGE_FORMS.has(form)) return
    const atAddress = this.#readers.get(address)
    const reader = atAddress?.get(agent.name)
    if (isIndex) {
      if (reader !== undefined && time - reader.time <= WENT_ON_WITHIN) return
      const begun = { time, wentOn: false, toMarkdown: false }
      this.llms.readers += 1
      if (atAddress !== undefined) return void atAddress.set(agent.name, begun)
      if (this.#readers.size >= MOST_READERS)
        for (const [oldest] of this.#readers.entries().take(1)) this.#readers.delete(oldest)
      this.#readers.set(ownCopy(address), new Map([[agent.name, begun]]))
      return
    }
    if (reader === undefined || time < reader.time || time - reader.time > WENT_ON_WITHIN) return
    if (!reader.wentOn) this.llms.wentOn += 1
    reader.wentOn = true
    if (form === "html" || reader.toMarkdown) return
    reader.toMarkdown = true
    this.llms.toMarkdown += 1
  }
}

const isEveryone = (kind: LogAgent["kind"]): kind is keyof Tally["everyone"] =>
  kind === "browser" || kind === "crawler" || kind === "docgauge" || kind === "unknown"

/** Whether a request is for something to read. */
const isRead = ({ method, path }: Hit): boolean => (method === "GET" || method === "HEAD") && path !== ""

const isMarkdown = ({ mediaType }: Hit): boolean => mediaType === "text/markdown" || mediaType === "text/x-markdown"

const readFormOf = (form: PathForm, hit: Hit): ReadForm => (form === "html" && isMarkdown(hit) ? "negotiated" : form)

const PAGE_FORMS: ReadonlySet<ReadForm> = new Set(["html", "markdown", "negotiated"])

/** Forms whose bytes no model reads. */
const NO_TEXT: ReadonlySet<ReadForm> = new Set(["asset"])

const TEXT_FILES: ReadonlySet<PathForm> = new Set(["description", "llms_txt", "markdown", "site_file"])

/** A web page where a text file was asked for. */
const isSoft404 = (form: PathForm, { mediaType, status }: Hit): boolean =>
  status === 200 && mediaType === "text/html" && TEXT_FILES.has(form)

const outcomeOf = (status: number): AnswerKind => {
  if (status === 304) return "not_modified"
  if (status < 300) return "answered"
  if (status < 400) return "redirected"
  if (status === 404 || status === 410) return "not_found"
  if (status === 429) return "rate_limited"
  return status >= 500 ? "failed" : "refused"
}

const COUNT_OF: Readonly<Record<AnswerKind, PathCount>> = {
  answered: "answered",
  not_modified: "answered",
  redirected: "redirected",
  not_found: "missing",
  refused: "refused",
  rate_limited: "limited",
  failed: "failed",
  soft_404: "soft"
}

/** What a request was for: the forms of pages and files. `negotiated`: Markdown at the URL of a page. */
export const READ_FORMS = [
  "html",
  "markdown",
  "negotiated",
  "llms_txt",
  "description",
  "site_file",
  "asset",
  "other"
] as const
export type ReadForm = (typeof READ_FORMS)[number]

/** How requests ended. */
export const ANSWER_KINDS = [
  "answered",
  "not_modified",
  "redirected",
  "not_found",
  "refused",
  "rate_limited",
  "failed",
  "soft_404"
] as const
type AnswerKind = (typeof ANSWER_KINDS)[number]

export interface AgentTally {
  readonly agent: LogAgent
  requests: number
  bytes: number
  /** Bytes of answers that are text for a model: pages, Markdown, llms.txt, descriptions. */
  textBytes: number
  readonly forms: Record<ReadForm, number>
  readonly outcomes: Record<AnswerKind, number>
  /** Requests from an address that the operator publishes, from another one, and from none that we could tell. */
  readonly from: { published: number; other: number; unknown: number }
}

const newAgentTally = (agent: LogAgent): AgentTally => ({
  agent,
  requests: 0,
  bytes: 0,
  textBytes: 0,
  forms: zeros(READ_FORMS),
  outcomes: zeros(ANSWER_KINDS),
  from: { published: 0, other: 0, unknown: 0 }
})

const zeros = <Name extends string>(names: ReadonlyArray<Name>) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
