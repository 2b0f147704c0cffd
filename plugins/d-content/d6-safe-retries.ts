import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/criterion/Criterion.ts"
import { flag } from "../../engine/criterion/Fact.ts"
import { withMissingText } from "../../engine/criterion/MissingText.ts"
import { eitherUnless } from "../../engine/criterion/Uncertain.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { ApiDescription } from "../../engine/apispec/ApiSpec.ts"
import type { Meaning } from "../../engine/text/languages/Vocabulary.ts"
import type { Reader } from "../../engine/text/languages/Reader.ts"
import { type Documentation, nothingRead, readDocumentation } from "./Documentation.ts"
import { phrase } from "./Phrase.ts"
import { findingsOfParts, foundAmong, foundIn, foundInSpec, type Citation } from "./Citation.ts"
import { PAGE_PARAMETER, pagesLists, pagingParameters } from "./PagingParameters.ts"
import { entriesOf, placesOf, type Topic } from "./Topic.ts"

/** A topic of the criterion, and how prose, tables and the API description cover it. */
interface Aspect {
  readonly name: string
  readonly topics: ReadonlyArray<Topic>
  /** Words that the passage must contain: a page titled "Events" may be about conferences. */
  readonly speaksOf: RegExp
  /** The same in other languages. */
  readonly says: Meaning
  /** Names of parameters and headers that prove the topic by themselves. */
  readonly element: RegExp | null
  /** Parameters that prove the topic together. */
  readonly inParameters?: (documentation: Documentation) => Citation | null
  readonly inSpec: (spec: ApiDescription, reader: Reader) => boolean
}

const hasParameter = (spec: ApiDescription, name: RegExp): boolean => spec.elements.parameters.some((parameter) => name.test(parameter.name))

const hasTag = (spec: ApiDescription, name: RegExp): boolean => spec.elements.tags.some((tag) => name.test(tag.name))

const IDEMPOTENCY_KEY = /^(?:x-)?idempoten(?:cy|ce|t)[-_]?(?:key|token|id)?$/i

const RETRIES: Aspect = {
  name: "idempotency or retries",
  topics: [{
    called: phrase("idempoten(?:cy|ce|t)(?: (?:keys?|requests?|tokens?))?", "retr(?:y|ies|ying)", "safe to retry", "retryable", "(?:exponential )?back-?off", "at[- ]least[- ]once"),
    subject: "retries",
    spareWords: 2
  }],
  says: "aboutRetries",
  speaksOf: /\bidempoten|\bretr(?:y|ie)|\brepeat|\bback-?off|\bduplicate|\btry again/i,
  element: IDEMPOTENCY_KEY,
  inSpec: (spec) => hasParameter(spec, IDEMPOTENCY_KEY)
}

const PAGINATION: Aspect = {
  name: "pagination",
  topics: [{ called: phrase("(?:auto-?)?paginat(?:ion|ing|e|ed)", "paging", "(?:cursor|offset|page)[- ]based pagination", "page tokens?", "page size"), subject: "pagination", spareWords: 2 }],
  says: "aboutPaging",
  speaksOf: /\bcursor|\boffset\b|\blimit\b|per_?page|page_?size|page_?token|\bnext[ _]?(?:page|link|url|token|cursor)|\bpages? of\b|auto_?pag|\biterat|\b(?:not|n['’]t|never) paginat|\bno pagination|\bpage=|\brel=["']?next|\bpage (?:number|parameter)|\blarge (?:lists?|sets?|results?)|\blist_\w+/i,
  element: PAGE_PARAMETER,
  inParameters: pagingParameters,
  inSpec: pagesLists
}

const EVENTS: Aspect = {
  name: "webhooks, events or streaming",
  topics: [{
    called: phrase(
      "web ?hooks?(?: events?)?", "event (?:types?|streams?|notifications?|payloads?|reference|delivery)", "server[- ]sent events?", "sse", "web ?sockets?", "streaming",
      "streamed responses?", "stream responses?", "push notifications?", "(?:event |graphql )?subscriptions?"
    ),
    subject: "events",
    spareWords: 2
  }, { called: phrase("events?(?: (?:&|and) (?:callbacks|webhooks|notifications))", "events", "callbacks"), subject: "plainEvents", spareWords: 0 }],
  says: "aboutEvents",
  speaksOf: /\bpayload|\bdeliver|\bsignature|\bnotif|\bsubscri|\bsend|\bsent\b|\breceiv|\bemit|\bstream|\bchunk|\bconnect|\blisten|\bSSE\b|\bcallback|\b(?:no|not|n['’]t) (?:support )?(?:web ?hooks?|events|streaming)/i,
  element: null,
  inSpec: (spec) => spec.elements.webhooks.length > 0 || spec.elements.callbacks > 0 || spec.format === "asyncapi"
    || hasTag(spec, /^web-?hooks?(?: events?)?$/i) || spec.operations.some(({ method }) => method === "SUBSCRIPTION")
}

const SANDBOX: Aspect = {
  name: "a sandbox or test mode",
  topics: [{
    called: phrase(
      "(?:testing in |testing with |developer )?(?:the |a |our )?sandbox(?:es)?(?: (?:environments?|mode|accounts?|servers?|testing|keys?|api))?", "(?:sandbox|test) (?:vs\\.?|and|or) (?:live|production)(?: mode| environments?)?",
      "test(?:ing)? (?:mode|environments?|accounts?|(?:api )?keys?|cards?)", "(?:live|production) (?:vs\\.?|and|or) (?:test|sandbox)(?: modes?| environments?)?",
      "staging environment", "dry[- ]?runs?(?: mode)?", "mock servers?", "test (?:new )?orders?"
    ),
    subject: "sandbox",
    spareWords: 0
  }],
  says: "aboutSandbox",
  speaksOf: /\btest|\bproduction\b|\blive\b|\bmock|\bdry[- ]?run|\bwithout (?:charging|changing|writing|affecting|side)|\bno sandbox|\bsafe/i,
  element: null,
  inSpec: (spec, reader) => spec.servers.some(({ description, url }) =>
    reader.says("sandbox", description) || /\bsandbox\b|\bstaging\b|\btest (?:server|environment|mode)|\bmock server/i.test(description) || /^https?:\/\/(?:[\w-]+\.)*(?:api-)?(?:sandbox|staging)[\w-]*\./i.test(url))
}

export const d6SafeRetries = define({
  id: "d6-safe-retries",
  revision: 2,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    retries: flag("idempotency or retries are documented; a section that says the product has none counts too, for all four topics"),
    pagination: flag("pagination is documented"),
    events: flag("webhooks, events or streaming are documented"),
    sandbox: flag("a sandbox or test mode is documented")
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
      ], { message: nothingRead(documentation, "documents retries, pagination, events or a test mode"), tried: documentation.tried })
    }
  }, withMissingText((facts) => ({
    retries: eitherUnless(facts.retries),
    pagination: eitherUnless(facts.pagination),
    events: eitherUnless(facts.events),
    sandbox: eitherUnless(facts.sandbox)
  })))
})

const answerTo = ({ element, inParameters, inSpec, says, speaksOf, topics }: Aspect, documentation: Documentation): Citation | null => {
  const speaks = (text: string): boolean => speaksOf.test(text) || documentation.reader.says(says, text)
  return foundIn(topics.flatMap((topic) => placesOf(documentation, topic)), ({ codeBlocks, text }, place) =>
    speaks(place.kind === "table" ? `${place.text} ${text}` : text) || codeBlocks.some((block) => speaksOf.test(block.text)))
    ?? (element === null ? null : foundAmong(entriesOf(documentation), ({ name }) => element.test(name)))
    ?? inParameters?.(documentation)
    ?? foundInSpec(documentation.spec, (spec) => inSpec(spec, documentation.reader))
}
