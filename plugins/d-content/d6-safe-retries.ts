import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/criterion/Criterion.ts"
import { flag } from "../../engine/criterion/Fact.ts"
import type { ApiDescription } from "../../engine/site/ApiSpec.ts"
import { type Documentation, readDocumentation } from "./Documentation.ts"
import { phrase } from "./Phrase.ts"
import { findingsOfParts, seenAmong, seenIn, seenInSpec, type Sighting } from "./Sighting.ts"
import { entriesOf, placesOf, type Subject } from "./Subject.ts"

/** A question of the criterion: what answers it in prose, in tables, in the Spec. */
interface Question {
  readonly name: string
  readonly subjects: ReadonlyArray<Subject>
  /** What the passage must speak of: a page may be titled "Events" and be about conferences. */
  readonly speaksOf: RegExp
  /** Names of parameters and headers that answer by themselves. */
  readonly element: RegExp | null
  readonly inSpec: (spec: ApiDescription) => boolean
}

const hasParameter = (spec: ApiDescription, name: RegExp): boolean => spec.elements.parameters.some((parameter) => name.test(parameter.name))

const hasTag = (spec: ApiDescription, name: RegExp): boolean => spec.elements.tags.some((tag) => name.test(tag.name))

const IDEMPOTENCY_KEY = /^(?:x-)?idempoten(?:cy|ce|t)[-_]?(?:key|token|id)?$/i

const RETRIES: Question = {
  name: "idempotency or retries",
  subjects: [{
    called: phrase("idempoten(?:cy|ce|t)(?: (?:keys?|requests?|tokens?))?", "retr(?:y|ies|ying)", "safe to retry", "retryable", "(?:exponential )?back-?off", "at[- ]least[- ]once"),
    spareWords: 2
  }],
  speaksOf: /\bidempoten|\bretr(?:y|ie)|\brepeat|\bback-?off|\bduplicate|\btry again/i,
  element: IDEMPOTENCY_KEY,
  inSpec: (spec) => hasParameter(spec, IDEMPOTENCY_KEY)
}

const PAGE_PARAMETER = /^(?:(?:next_?)?page_?token|next_?cursor|cursor|page_?cursor|per_?page|page_?size|page\[(?:size|number|cursor|limit)\]|starting_?after|ending_?before|page_?number)$/i
const PLAIN_PARAMETERS: ReadonlyArray<ReadonlySet<string>> = [["limit", "offset"], ["limit", "page"], ["size", "page"], ["count", "page"], ["first", "after"], ["limit", "after"]].map((names) => new Set(names))

/** `limit` alone may mean anything; with `offset` it is paging. */
const hasPlainParameters = (spec: ApiDescription): boolean => {
  const names = new Set(spec.elements.parameters.map(({ name }) => name.toLowerCase()))
  return PLAIN_PARAMETERS.some((pair) => pair.isSubsetOf(names))
}

const PAGINATION: Question = {
  name: "pagination",
  subjects: [{ called: phrase("(?:auto-?)?paginat(?:ion|ing|e|ed)", "paging", "(?:cursor|offset|page)[- ]based pagination", "page tokens?", "page size"), spareWords: 2 }],
  speaksOf: /\bcursor|\boffset\b|\blimit\b|per_?page|page_?size|page_?token|\bnext[ _]?(?:page|link|url|token|cursor)|\bpages? of\b|auto_?pag|\biterat|\b(?:not|n['’]t|never) paginat|\bno pagination|\bpage=|\brel=["']?next|\bpage (?:number|parameter)|\blarge (?:lists?|sets?|results?)|\blist_\w+/i,
  element: PAGE_PARAMETER,
  inSpec: (spec) => hasParameter(spec, PAGE_PARAMETER) || hasPlainParameters(spec)
}

const EVENTS: Question = {
  name: "webhooks, events or streaming",
  subjects: [{
    called: phrase(
      "web ?hooks?(?: events?)?", "event (?:types?|streams?|notifications?|payloads?|reference|delivery)", "server[- ]sent events?", "sse", "web ?sockets?", "streaming",
      "streamed responses?", "stream responses?", "push notifications?", "(?:event |graphql )?subscriptions?"
    ),
    spareWords: 2
  }, { called: phrase("events"), spareWords: 0 }],
  speaksOf: /\bpayload|\bdeliver|\bsignature|\bnotif|\bsubscri|\bsend|\bsent\b|\breceiv|\bemit|\bstream|\bchunk|\bconnect|\blisten|\bSSE\b|\bcallback|\b(?:no|not|n['’]t) (?:support )?(?:web ?hooks?|events|streaming)/i,
  element: null,
  inSpec: (spec) => spec.elements.webhooks.length > 0 || spec.elements.callbacks > 0 || spec.format === "asyncapi"
    || hasTag(spec, /^web-?hooks?(?: events?)?$/i) || spec.operations.some(({ method }) => method === "SUBSCRIPTION")
}

const SANDBOX: Question = {
  name: "a sandbox or test mode",
  subjects: [{
    called: phrase(
      "(?:testing in |testing with |developer )?(?:the |a |our )?sandbox(?:es)?(?: (?:environments?|mode|accounts?|servers?|testing|keys?|api))?", "(?:sandbox|test) (?:vs\\.?|and|or) (?:live|production)(?: mode| environments?)?",
      "test(?:ing)? (?:mode|environments?|accounts?|(?:api )?keys?|cards?)", "(?:live|production) (?:vs\\.?|and|or) (?:test|sandbox)(?: modes?| environments?)?",
      "staging environment", "dry[- ]?runs?(?: mode)?", "mock servers?"
    ),
    spareWords: 0
  }],
  speaksOf: /\btest|\bproduction\b|\blive\b|\bmock|\bdry[- ]?run|\bwithout (?:charging|changing|writing|affecting|side)|\bno sandbox|\bsafe/i,
  element: null,
  inSpec: (spec) => spec.servers.some(({ description, url }) =>
    /\bsandbox\b|\bstaging\b|\btest (?:server|environment|mode)|\bmock server/i.test(description) || /^https?:\/\/(?:[\w-]+\.)*(?:api-)?(?:sandbox|staging)[\w-]*\./i.test(url))
}

export const d6SafeRetries = define({
  id: "d6-safe-retries",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    retries: flag("Idempotency or retries are a subject; that there is no such thing, said as a subject, answers too (so for all four)"),
    pagination: flag("Pagination is a subject"),
    events: flag("Webhooks, events or streaming are a subject"),
    sandbox: flag("A sandbox or test mode is a subject")
  },
  measure: Effect.fn("d6-safe-retries")(function*(site) {
    const documentation = yield* readDocumentation(site)
    const retries = answerTo(RETRIES, documentation)
    const pagination = answerTo(PAGINATION, documentation)
    const events = answerTo(EVENTS, documentation)
    const sandbox = answerTo(SANDBOX, documentation)
    return {
      facts: { retries: retries !== null, pagination: pagination !== null, events: events !== null, sandbox: sandbox !== null },
      findings: findingsOfParts([
        { name: RETRIES.name, seen: retries },
        { name: PAGINATION.name, seen: pagination },
        { name: EVENTS.name, seen: events },
        { name: SANDBOX.name, seen: sandbox }
      ], { message: "Retries, pagination, events and a test mode are the subject of no page, section, table or element of the API description.", tried: documentation.tried })
    }
  })
})

const answerTo = ({ element, inSpec, speaksOf, subjects }: Question, documentation: Documentation): Sighting | null =>
  seenIn(subjects.flatMap((subject) => placesOf(documentation, subject)), ({ codeBlocks, text }, place) =>
    speaksOf.test(place.kind === "table" ? `${place.text} ${text}` : text) || codeBlocks.some((block) => speaksOf.test(block.text)))
    ?? (element === null ? null : seenAmong(entriesOf(documentation), ({ name }) => element.test(name)))
    ?? seenInSpec(documentation.spec, inSpec)
