import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/plugin/Criterion.ts"
import { eitherUnless, flag } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { ApiDescription } from "../../engine/apispec/ApiSpec.ts"
import type { Meaning, Reader } from "../../engine/text/languages/Vocabulary.ts"
import { type Documentation, nothingRead, readDocumentation } from "./Documentation.ts"
import { phrase } from "./Sentence.ts"
import { firstDefault, firstRemark, ORDER, SILENT } from "./Behaviour.ts"
import { type Citation, entriesOf, type Entry, findingsOfParts, foundAmong, foundIn, foundInSpec } from "./Citation.ts"
import { isPageParameter, pagesLists, pagingParameters } from "./PagingParameters.ts"
import { type Place, placesOf, toldPlaces, type Topic } from "./Topic.ts"

/** A topic, and the words that the text below its name must contain. */
interface SpokenTopic extends Topic {
  /** A page titled "Events" may be about conferences. */
  readonly speaksOf: RegExp
  /** The text must say as well that it is for programs: "Notifications" may go to people. */
  readonly forPrograms?: boolean
  /** Names of products whose documentation means the product by it. */
  readonly unlessProduct?: ReadonlyArray<string>
}

/** A topic of the criterion, and how prose, tables and the API description cover it. */
interface Aspect {
  readonly name: string
  readonly topics: ReadonlyArray<SpokenTopic>
  /** What the text must say in other languages. */
  readonly says: Meaning
  /** Parameters and headers that prove the topic by themselves. */
  readonly element: ((entry: Entry) => boolean) | null
  /** Sentences of the reference, and of operations in the API description, that document it without a heading of its own. */
  readonly told?: RegExp
  /** Parameters that prove the topic together. */
  readonly inParameters?: (documentation: Documentation) => Citation | null
  readonly inSpec: (spec: ApiDescription, reader: Reader) => boolean
}

const hasParameter = (spec: ApiDescription, name: RegExp): boolean =>
  spec.elements.parameters.some((parameter) => name.test(parameter.name))

const hasTag = (spec: ApiDescription, name: RegExp): boolean => spec.elements.tags.some((tag) => name.test(tag.name))

const IDEMPOTENCY_KEY = /^(?:x-)?idempoten(?:cy|ce|t)[-_]?(?:key|token|id)?$/i

/** "Repeat the request after a delay", "so this endpoint is safe to retry". That one operation is idempotent says nothing of the others. */
const TOLD_RETRIES = new RegExp(
  [
    "\\b(?:safe(?:ly)?|unsafe) to (?:be )?(?:retr(?:y|ied)|repeat(?:ed)?|call (?:again|twice|more than once))\\b",
    "\\b(?:requests?|calls?|operations?)\\b[^.\\n]{0,60}\\b(?:can|may|must not|cannot|should not)(?: safely)? be (?:retried|repeated|sent again)\\b",
    "\\b(?:retry|repeat) (?:it|(?:the|your|a|this) (?:failed )?(?:request|call|operation))\\b[^.\\n]{0,60}\\b(?:after|backoff|back-off|delay|later|seconds|same)\\b",
    "\\bexponential back-?off\\b",
    "\\b(?:callers?|clients?|you) (?:must|should|(?:need|ha[sv]e?) to) back[- ]?off\\b"
  ].join("|"),
  "i"
)

/** "Retry a rollout" is an operation of the product; "Retry a failed request" is not. */
const NO_OWN_RETRY = "(?!retry(?:ing)? (?:an?|the|this) (?!(?:failed )?(?:api )?(?:requests?|calls?|operations?)\\b))"

const RETRIES: Aspect = {
  name: "idempotency or retries",
  topics: [
    {
      called: phrase(
        "idempoten(?:cy|ce|t)(?: (?:keys?|requests?|tokens?))?",
        `${NO_OWN_RETRY}retr(?:y|ies|ying)(?: (?:polic(?:y|ies)|strateg(?:y|ies)|logic|behaviou?r))?`,
        "safe to retry",
        "retryable",
        "(?:exponential )?back-?off",
        "at[- ]least[- ]once"
      ),
      subject: "retries",
      spareWords: 2,
      speaksOf: /\bidempoten|\bretr(?:y|ie)|\brepeat|\bback-?off|\bduplicate|\btry again/i
    }
  ],
  says: "aboutRetries",
  told: TOLD_RETRIES,
  element: ({ name }) => IDEMPOTENCY_KEY.test(name),
  inSpec: (spec) => hasParameter(spec, IDEMPOTENCY_KEY)
}

const PAGINATION: Aspect = {
  name: "pagination",
  topics: [
    {
      called: phrase(
        "(?:auto-?)?paginat(?:ion|ing|e|ed)",
        "paging",
        "(?:cursor|offset|page)[- ]based pagination",
        "page tokens?",
        "page size"
      ),
      subject: "pagination",
      spareWords: 2,
      speaksOf:
        /\bcursor|\boffset\b|\blimit\b|per[ _]?page|page[ _]?size|page_?token|\bnext[ _]?(?:page|link|results|url|token|cursor)|pagination-(?:next|prev)|\bpages? of\b|auto_?pag|\biterat|\b(?:not|n['’]t|never) paginat|\bno pagination|\bpage=|\brel=["']?next|\bpage (?:number|parameter)|\blarge (?:lists?|sets?|results?)|\blist_\w+/i
    }
  ],
  says: "aboutPaging",
  element: isPageParameter,
  inParameters: pagingParameters,
  inSpec: pagesLists
}

/** What the text on events says. */
const DELIVERS =
  /\bpayload|\bdeliver|\bsignature|\bnotif|\bsubscri|\bsend|\bsent\b|\breceiv|\bemit|\bstream|\bchunk|\bconnect|\blisten|\bSSE\b|\bcallback|\b(?:no|not|n['’]t) (?:support )?(?:web ?hooks?|events|streaming)/i

/** What only programs are sent events by. */
const TO_PROGRAMS =
  /\b[Ww]eb ?[Hh]ook|\b[Ww]eb ?[Ss]ocket|\b[Cc]allback|\b[Ee]ndpoint|\b[Pp]ayload|\b[Ee]mit|\b[Ss]tream|\b[Ll]isten|\b[Hh]andler|\b[Ss]ubscribe to\b|\b[Pp]ub[/-]?[Ss]ub\b|\b(?:SSE|MQTT|AMQP|JSON|HTTP|POST|UR[IL]s?)\b/

const EVENTS: Aspect = {
  name: "webhooks, events or streaming",
  topics: [
    {
      called: phrase(
        "web ?hooks?(?: events?)?",
        "event (?:types?|streams?|messages?|notifications?|payloads?|reference|delivery)",
        "server[- ]sent events?",
        "sse",
        "web ?sockets?",
        "streaming",
        "streamed responses?",
        "stream responses?",
        "push notifications?",
        "(?:event|graphql|push|change|topic|channel) subscriptions?"
      ),
      subject: "events",
      spareWords: 2,
      speaksOf: DELIVERS
    },
    {
      // Customers may have subscriptions that they pay for.
      called: phrase("subscriptions?"),
      spareWords: 2,
      speaksOf:
        /\bweb ?hook|(?<!\bin the )\bevents?\b|\bstream|\bpush|\bweb ?socket|\bcallback|\bpub[/-]?sub\b|\bSSE\b|\bMQTT\b|\bgraphql|\blisten|\breal[- ]?time|\bsubscribe to (?:[\w-]+ ){0,2}(?:changes|updates|topics?|channels?|notifications)\b|\bnotif(?:y|ies) (?:your|the) (?:server|application|endpoint|client)|\bnotification (?:url|uri|endpoint)|(?:^|\n)\s{0,8}subscription(?: \w{1,80})?\s?[({]/i
    },
    {
      called: phrase("events?(?: (?:&|and) (?:callbacks|webhooks|notifications))", "events", "callbacks"),
      subject: "plainEvents",
      spareWords: 0,
      speaksOf: DELIVERS,
      forPrograms: true
    }
  ],
  says: "aboutEvents",
  element: null,
  inSpec: (spec) =>
    spec.elements.webhooks.length > 0 ||
    spec.elements.callbacks > 0 ||
    spec.format === "asyncapi" ||
    hasTag(spec, /^web-?hooks?(?: events?)?$/i) ||
    spec.operations.some(({ method }) => method === "SUBSCRIPTION")
}

/** A test key, a production that is left alone, or an integration that is tried. */
const FOR_TESTS = new RegExp(
  [
    "\\btest(?:ing)? (?:modes?|keys?|data|cards?|accounts?|environments?|credentials|servers?|payments?|transactions?|orders?|purposes)\\b",
    "\\bfor (?:integration )?(?:testing|tests)\\b",
    "\\b(?:test(?:ing)?|try(?:ing)?(?: out)?) (?:your|the|an|our) (?:[\\w-]+ ){0,2}(?:integrations?|api|calls?|requests?|apps?|applications?)\\b",
    "\\bproduction\\b(?![- ](?:ready|grade|workloads?))",
    "\\blive (?:modes?|keys?|environments?|api|data|servers?|accounts?|payments?)\\b",
    "\\bgo(?:es|ing)? live\\b",
    "\\bwithout (?:charging|changing|writing|affecting|side)",
    "\\b(?:real|actual) (?:money|charges?|payments?|transactions?|orders?|data)\\b",
    "\\bno (?:money|charges?|payments?)\\b",
    "\\bmock",
    "\\bdry[- ]?run",
    "\\bsimulat",
    "\\b(?:fake|dummy) ",
    "\\bno sandbox",
    "//(?:[\\w-]{1,40}\\.){0,3}sandbox[.-]"
  ].join("|"),
  "i"
)

/** A host of its own for tests (`https://api.sandbox.example.com`), a row of a table ("Sandbox | https://…"), or an environment that is said to be for tests. */
const TEST_ENVIRONMENT =
  /\b(?:development|dev|staging|uat|test) (?:environment|server) (?:is|exists) [^.\n]{0,40}\bfor test(?:ing|s)\b|\bhttps?:\/\/(?:[\w-]{1,60}\.){0,4}(?:[\w-]{0,40}-)?(?:sandbox|staging|sim|uat)(?:-[\w-]{1,40})?\.[\w.-]{2,100}|^\W{0,4}(?:sandbox|staging|simulation|test(?:ing)?)(?: environment| server)?\W{0,6}\n?\W{0,4}https?:\/\//im

const SANDBOX: Aspect = {
  name: "a sandbox or test mode",
  topics: [
    {
      called: phrase(
        "(?:testing in |testing with |developer )?(?:the |a |our )?sandbox(?:es)? (?:environments?|mode|accounts?|servers?|testing|keys?)",
        "(?:testing in|testing with) (?:the |a |our )?sandbox(?:es)?",
        "(?:sandbox|test) (?:vs\\.?|and|or) (?:live|production)(?: mode| environments?)?",
        "test(?:ing)? (?:mode|accounts?|(?:api )?keys?)",
        "(?:[\\p{L}\\d-]+ ){0,3}test cards?(?: numbers?)?",
        "(?:live|production) (?:vs\\.?|and|or) (?:test|sandbox)(?: modes?| environments?)?",
        "(?:[\\p{L}]+ ){0,3}in (?:the |a |our )?(?:sandbox|test) mode",
        "dry[- ]?runs?(?: mode)?",
        "mock servers?",
        "(?:api )?test ?beds?",
        "(?:[\\p{L}]+ )?(?:api|event|payments?|pos|terminal|transactions?) simulators?",
        "test (?:new )?orders?"
      ),
      subject: "sandbox",
      spareWords: 0,
      speaksOf:
        /\btest|\bproduction\b|\blive\b|\bmock|\bdry[- ]?run|\bwithout (?:charging|changing|writing|affecting|side)|\bno sandbox|\bsafe/i
    },
    {
      // A product's own build may have an environment for its tests.
      called: phrase("test(?:ing)? environments?", "staging environments?"),
      spareWords: 0,
      speaksOf:
        /\b(?:api|endpoints?|requests?|calls?|credentials|accounts?|(?:test|api|access) keys?|payments?|transactions?|orders?|(?:test|live|real|production) data)\b|https?:\/\//i
    },
    {
      // A model has test data, too.
      called: phrase("test(?:ing)? data"),
      spareWords: 0,
      speaksOf: /\b(?:cards?|credentials|integrations?|payments?|transactions?)\b/i
    },
    {
      called: phrase("(?:(?:api|available|our) )?environments?", "base ur[li]s?", "servers", "hosts"),
      spareWords: 1,
      speaksOf: TEST_ENVIRONMENT
    },
    {
      // A product may be a sandbox, or have some for its customers' code.
      called: phrase("(?:developer )?(?:the |a |our )?sandbox(?:es)?(?: api)?"),
      spareWords: 0,
      speaksOf: FOR_TESTS,
      unlessProduct: ["sandbox", "sandboxes"]
    }
  ],
  says: "aboutSandbox",
  element: null,
  inSpec: (spec, reader) =>
    spec.servers.some(
      ({ description, url }) =>
        reader.says("sandbox", description) ||
        /\bsandbox\b|\bstaging\b|\btest (?:server|environment|mode)|\bmock server/i.test(description) ||
        /^https?:\/\/(?:[\w-]+\.)*(?:api-)?(?:sandbox|staging)[\w-]*\./i.test(url)
    )
}

export const d6SafeRetries = define({
  id: "d6-safe-retries",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    retries: flag(
      "idempotency or retries are documented; a section that says the product has none counts too, for all four topics"
    ),
    pagination: flag("pagination is documented"),
    events: flag("webhooks, events or streaming are documented"),
    sandbox: flag("a sandbox or test mode is documented"),
    order: flag("the documentation says of a call what must come before it"),
    defaults: flag("the documentation says in three places or more what happens if something is left out"),
    silent: flag("the documentation says what fails or changes without an error")
  },
  measure: Effect.fn("d6-safe-retries")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const retries = answerTo(RETRIES, documentation)
      const pagination = answerTo(PAGINATION, documentation)
      const events = answerTo(EVENTS, documentation)
      const sandbox = answerTo(SANDBOX, documentation)
      const order = firstRemark(ORDER, documentation)
      const defaults = firstDefault(documentation)
      const silent = firstRemark(SILENT, documentation)
      return {
        facts: {
          retries: retries !== null,
          pagination: pagination !== null,
          events: events !== null,
          sandbox: sandbox !== null,
          order: order !== null,
          defaults: defaults !== null,
          silent: silent !== null
        },
        findings: findingsOfParts(
          [
            { name: RETRIES.name, seen: retries },
            { name: PAGINATION.name, seen: pagination },
            { name: EVENTS.name, seen: events },
            { name: SANDBOX.name, seen: sandbox },
            { name: "the order of calls", does: "says what must come before a call", seen: order },
            { name: "defaults", does: "says what happens if something is left out", seen: defaults },
            {
              name: "what happens without an error",
              does: "says what fails or changes without an error",
              seen: silent
            }
          ],
          documentation,
          {
            message: nothingRead(
              documentation,
              "documents retries, pagination, events, a test mode, the order of calls, defaults or what happens without an error"
            ),
            tried: documentation.tried
          }
        )
      }
    },
    withMissingText((facts) => ({
      retries: eitherUnless(facts.retries),
      pagination: eitherUnless(facts.pagination),
      events: eitherUnless(facts.events),
      sandbox: eitherUnless(facts.sandbox),
      order: eitherUnless(facts.order),
      defaults: eitherUnless(facts.defaults),
      silent: eitherUnless(facts.silent)
    }))
  )
})

const answerTo = (
  { element, inParameters, inSpec, says, told, topics }: Aspect,
  documentation: Documentation
): Citation | null =>
  topics.reduce<Citation | null>((found, topic) => found ?? inPlaces(topic, says, documentation), null) ??
  (told === undefined ? null : inSentences(told, documentation)) ??
  (element === null ? null : foundAmong(entriesOf(documentation), element)) ??
  inParameters?.(documentation) ??
  foundInSpec(documentation.spec, (spec) => inSpec(spec, documentation.reader))

const inSentences = (told: RegExp, documentation: Documentation): Citation | null =>
  foundIn(
    toldPlaces(documentation, (sentence) => told.test(sentence)),
    () => true
  ) ??
  foundInSpec(
    documentation.spec,
    ({ elements }) => elements.remarks.some(({ text }) => told.test(text)),
    "the text of an operation in the API description"
  )

const LIMITS = /\b(?:limits?|quotas?)\b/i

const inPlaces = (topic: SpokenTopic, says: Meaning, documentation: Documentation): Citation | null => {
  const { forPrograms = false, speaksOf, unlessProduct = [] } = topic
  const { reader } = documentation
  if (unlessProduct.some((name) => documentation.names.has(name))) return null
  // "WebSocket limits" is the better citation for limits: it comes after the sections on WebSocket itself.
  const isOnLimits = ({ text }: Place): boolean => LIMITS.test(text) || reader.says("limits", text)
  const places = placesOf(documentation, topic)
  const cited = [...places.filter((place) => !isOnLimits(place)), ...places.filter(isOnLimits)]
  return foundIn(cited, ({ codeBlocks, text }, place) => {
    const said = place.kind === "table" ? `${place.text} ${text}` : text
    if (forPrograms && codeBlocks.length === 0 && !TO_PROGRAMS.test(said) && !reader.says("toPrograms", said))
      return false
    return speaksOf.test(said) || reader.says(says, said) || codeBlocks.some((block) => speaksOf.test(block.text))
  })
}
