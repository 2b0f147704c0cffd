import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type AsAgentsReport, NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import { runRecordOf } from "../../../engine/audit/AuditRequest.ts"
import { REQUESTS_AS_AGENTS } from "../../../engine/evidence/AuditBudget.ts"
import { openArchive, replay } from "../../../engine/evidence/archive/Replay.ts"
import type { Asked } from "../../../engine/evidence/Exchange.ts"
import { politely } from "../../../engine/evidence/politeness/Politeness.ts"
import { Transport } from "../../../engine/evidence/Transport.ts"
import { type FakeAnswer, type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { type Audited, auditOver } from "../AuditOver.ts"

const URL = "https://docs.example.com/"

const URL_OF = (url: string): globalThis.URL => new globalThis.URL(url)

const ALL = NAMED_AGENTS.map(({ id }) => id)

const prose = (subject: string): string =>
  `${subject} are created with a POST request. `.repeat(12) + `This is all about ${subject.toLowerCase()}.`

const page = (subject: string, text = prose(subject)): FakeAnswer => ({
  body: `<html lang="en"><head><title>${subject}</title></head><body><nav><a href="/parcels">Parcels</a> <a href="/labels">Labels</a> <a href="/rates">Rates</a> <a href="/secret/keys">Keys</a></nav><main><h1>${subject}</h1><p>${text}</p></main></body></html>`,
  byAccept: { "text/markdown": { body: `# ${subject}\n\n${text}\n`, headers: { vary: "Accept" } } }
})

const SITE: FakeSite = {
  "/": page("Quillpay"),
  "/parcels": page("Parcels"),
  "/labels": page("Labels"),
  "/rates": page("Rates"),
  "/llms.txt": "# Quillpay\n\n> Parcels.\n\n- [Parcels](/parcels): how to send them\n"
}

/** The site over a transport that notes what is asked. */
const noted = (site: FakeSite) => {
  const asked: Array<Asked> = []
  const transport = Layer.effect(
    Transport,
    Effect.map(Transport, ({ send }) =>
      Transport.of({
        send: (request) => {
          asked.push(request.asked)
          return send(request)
        }
      })
    )
  ).pipe(Layer.provide(layerFakeSite(site)))
  return { asked, transport }
}

const outcomeOf = ({ result }: Audited) => Result.getOrThrow(result)

const matrixOf = (audited: Audited): AsAgentsReport => {
  const { as_agents: matrix } = outcomeOf(audited).report
  if (matrix === undefined) throw new Error("the report has no matrix")
  return matrix
}

const auditAs = Effect.fnUntraced(function* (site: FakeSite, asAgents: ReadonlyArray<string> = ALL) {
  const { asked, transport } = noted(site)
  const audited = yield* auditOver(transport, URL, { asAgents })
  return { asked: asked.filter(({ sentAs }) => sentAs !== undefined), own: asked.length, audited }
})

const answersOf = (matrix: AsAgentsReport, id: string) => matrix.agents.find((agent) => agent.id === id)?.answers ?? []

describe("what named agents are served", () => {
  it.effect("is asked for after the audit, and changes nothing else in the report", () =>
    Effect.gen(function* () {
      const { audited } = yield* auditAs(SITE)
      const without = yield* auditOver(layerFakeSite(SITE), URL)
      const { as_agents: matrix, ...rest } = outcomeOf(audited).report
      expect(matrix?.agents.map(({ id }) => id)).toEqual(ALL)
      expect(rest).toEqual(outcomeOf(without).report)
      expect(outcomeOf(without).report.as_agents).toBeUndefined()
    })
  )

  it.effect("is robots.txt, the base page, three pages and llms.txt, with the headers of each agent", () =>
    Effect.gen(function* () {
      const { asked, audited } = yield* auditAs(SITE)
      const matrix = matrixOf(audited)
      expect(matrix.asked.map(({ what }) => what)).toEqual(["robots.txt", "base", "page", "page", "page", "llms.txt"])
      expect(asked.length).toBe(6 * ALL.length)
      expect(matrix.requests).toBe(asked.length)
      for (const { accept, id, userAgent } of NAMED_AGENTS)
        expect(
          asked
            .filter(({ sentAs }) => sentAs?.id === id)
            .every((one) => one.accept === (accept ?? "*/*") && one.sentAs?.userAgent === userAgent)
        ).toBe(true)
    })
  )

  it.effect("has status, type, characters and the sentence where each page ends", () =>
    Effect.gen(function* () {
      const long = `${prose("Rates")} ${"Another sentence about what a parcel costs. ".repeat(200)}`
      const matrix = matrixOf((yield* auditAs({ ...SITE, "/rates": page("Rates", long) })).audited)
      const at = matrix.asked.findIndex(({ url }) => url.endsWith("/rates"))
      expect(answersOf(matrix, "claude-code")[at]).toMatchObject({
        outcome: "answered",
        status: 200,
        type: "text/markdown",
        ends: "Another sentence about what a parcel costs."
      })
      const cut = answersOf(matrix, "mcp-fetch")[at]
      expect(cut).toMatchObject({ type: "text/html", given: 5_000 })
      expect(cut?.characters).toBeGreaterThan(5_000)
      expect("Another sentence about what a parcel costs.").toContain(cut?.ends ?? "none")
      const whole = answersOf(matrix, "opencode")[at]
      expect(whole?.given).toBe(whole?.characters)
      // Nobody has published what ChatGPT makes of a page, so its characters are those of the body.
      expect(answersOf(matrix, "chatgpt")[at]?.characters).toBeGreaterThan(cut?.characters ?? Infinity)
    })
  )

  it.effect("is not asked for where robots.txt forbids it to that agent, and the matrix says so", () =>
    Effect.gen(function* () {
      const robots = "User-agent: ChatGPT-User\nDisallow: /\n\nUser-agent: Cursor\nDisallow: /rates\n"
      const { asked, audited } = yield* auditAs({ ...SITE, "/robots.txt": robots })
      const matrix = matrixOf(audited)
      const outcomes = (id: string) => answersOf(matrix, id).map(({ outcome }) => outcome)
      expect(outcomes("chatgpt")).toEqual(["answered", ...Array.from({ length: 5 }, () => "disallowed")])
      expect(asked.filter(({ sentAs }) => sentAs?.id === "chatgpt").map(({ url }) => url)).toEqual([`${URL}robots.txt`])
      expect(outcomes("cursor").filter((outcome) => outcome === "disallowed").length).toBe(1)
      expect(new Set(outcomes("perplexity"))).toEqual(new Set(["answered"]))
    })
  )

  it.effect("holds an agent to the robots.txt that docgauge was served as well as to its own", () =>
    Effect.gen(function* () {
      const robots: FakeAnswer = ({ sentAs }) =>
        sentAs === undefined ? "User-agent: MistralAI-User\nDisallow: /rates\n" : { status: 403 }
      const { asked } = yield* auditAs({ ...SITE, "/robots.txt": robots }, ["mistral"])
      expect(asked.some(({ url }) => url.endsWith("/rates"))).toBe(false)
      expect(asked.some(({ url }) => url.endsWith("/parcels"))).toBe(true)
    })
  )

  it.effect("is nothing but robots.txt where that gets no usable answer", () =>
    Effect.gen(function* () {
      const robots: FakeAnswer = ({ sentAs }) => (sentAs === undefined ? { status: 404 } : { status: 503 })
      const { asked, audited } = yield* auditAs({ ...SITE, "/robots.txt": robots }, ["mistral"])
      expect(asked.map(({ url }) => url)).toEqual([`${URL}robots.txt`])
      expect(answersOf(matrixOf(audited), "mistral").map(({ outcome }) => outcome)).toEqual([
        "answered",
        ...Array.from({ length: 5 }, () => "robots_unread")
      ])
    })
  )

  it.effect("follows an agent's redirects, and never to what robots.txt forbids it", () =>
    Effect.gen(function* () {
      const only =
        (answer: FakeAnswer): FakeAnswer =>
        (one) =>
          one.sentAs === undefined ? page("Rates") : answer
      const matrix = matrixOf(
        (yield* auditAs(
          {
            ...SITE,
            "/robots.txt": "User-agent: *\nAllow: /\n\nUser-agent: Cursor\nDisallow: /secret\n",
            "/rates": only({ redirect: "/labels", status: 302 }),
            "/parcels": only({ redirect: "/secret/keys", status: 302 })
          },
          ["cursor"]
        )).audited
      )
      const at = (path: string) => matrix.asked.findIndex(({ url }) => url.endsWith(path))
      expect(answersOf(matrix, "cursor")[at("/rates")]).toMatchObject({ status: 200, url: `${URL}labels` })
      expect(answersOf(matrix, "cursor")[at("/parcels")]).toMatchObject({ outcome: "disallowed" })
    })
  )

  it.effect("says which agents are refused, and by a bot filter", () =>
    Effect.gen(function* () {
      const refusing: FakeAnswer = (one) => {
        if (one.sentAs?.id === "perplexity") return { status: 403, headers: { "cf-mitigated": "challenge" } }
        return one.sentAs?.id === "mistral" ? { status: 403 } : page("Quillpay")
      }
      const matrix = matrixOf((yield* auditAs({ ...SITE, "/": refusing })).audited)
      expect(answersOf(matrix, "perplexity")[1]).toMatchObject({ status: 403, challenge: true, characters: null })
      expect(answersOf(matrix, "mistral")[1]).toMatchObject({ status: 403, characters: null, ends: null })
      expect(answersOf(matrix, "mistral")[1]).not.toHaveProperty("challenge")
      expect(answersOf(matrix, "claude-code")[1]).toMatchObject({ status: 200 })
    })
  )

  it.effect("is the same from the archive, and missing from one that was recorded without", () =>
    Effect.gen(function* () {
      const site = { ...SITE, "/robots.txt": "User-agent: ChatGPT-User\nDisallow: /labels\n" }
      const recorded = yield* auditOver(layerFakeSite(site), URL, { asAgents: ALL })
      const archive = yield* openArchive(yield* recorded.archive)
      const run = archive.run === null ? null : runRecordOf(archive.run)
      expect(run?.askedAgents).toEqual(ALL)
      const replayed = yield* auditOver(replay(archive), URL, { asAgents: ALL })
      expect(replayed.text).toBe(recorded.text)
      const plain = yield* openArchive(yield* (yield* auditOver(layerFakeSite(site), URL)).archive)
      const without = yield* auditOver(replay(plain), URL, { asAgents: ALL })
      expect(outcomeOf(without).report.as_agents).toBeUndefined()
    })
  )

  it.effect("asks no other host of the site where the owner of one host alone is known, and says so", () =>
    Effect.gen(function* () {
      const others = Object.fromEntries(
        Object.entries(SITE).map(([path, answer]) => [`https://www.example.com${path}`, answer])
      )
      const asAgentsHost = "docs.example.com"
      const askOf = Effect.fnUntraced(function* (site: FakeSite) {
        const { asked, transport } = noted({ ...others, ...site })
        const audited = yield* auditOver(transport, URL, { asAgents: ["cursor"], asAgentsHost })
        const archive = yield* openArchive(yield* audited.archive)
        const recorded = archive.run === null ? {} : { asAgentsHost: runRecordOf(archive.run).asAgentsHost ?? "none" }
        expect((yield* auditOver(replay(archive), URL, { asAgents: ["cursor"], ...recorded })).text).toBe(audited.text)
        return {
          hosts: new Set(asked.filter(({ sentAs }) => sentAs !== undefined).map(({ url }) => URL_OF(url).host)),
          matrix: matrixOf(audited)
        }
      })
      // All of it is elsewhere: somebody who has one host of a domain cannot have another's asked.
      const away = yield* askOf({ "/": { redirect: "https://www.example.com/", status: 302 } })
      expect(away.hosts.size).toBe(0)
      expect(new Set(answersOf(away.matrix, "cursor").map(({ outcome }) => outcome))).toEqual(new Set(["not_asked"]))
      expect(answersOf(away.matrix, "cursor")[1]?.why).toBe("not on docs.example.com, which alone is asked so")
      expect(away.matrix.requests).toBe(0)
      // A redirect of one of its pages is not followed there.
      const partly = yield* askOf({
        ...SITE,
        "/rates": (one) =>
          one.sentAs === undefined ? page("Rates") : { redirect: "https://www.example.com/rates", status: 302 }
      })
      expect(partly.hosts).toEqual(new Set([asAgentsHost]))
      const at = partly.matrix.asked.findIndex(({ url }) => url.endsWith("/rates"))
      expect(answersOf(partly.matrix, "cursor")[at]).toMatchObject({ outcome: "failed", status: null })
    })
  )

  it.effect("takes no more than 60 requests, whatever the site answers", () =>
    Effect.gen(function* () {
      let hops = 0
      const around: FakeAnswer = (one) =>
        one.sentAs === undefined || one.url.endsWith("robots.txt")
          ? page("Quillpay")
          : { redirect: `/around/${++hops}`, status: 302 }
      const { asked, transport } = noted({ ...SITE, "/": around, "*": around })
      const polite = Layer.provide(politely(), transport)
      const audited = yield* auditOver(polite, URL, { asAgents: ALL })
      const sent = asked.filter(({ sentAs }) => sentAs !== undefined)
      expect(sent.length).toBe(REQUESTS_AS_AGENTS)
      expect(matrixOf(audited).requests).toBe(REQUESTS_AS_AGENTS)
      expect(
        matrixOf(audited)
          .agents.flatMap(({ answers }) => answers)
          .some(
            ({ outcome, why }) => outcome === "not_asked" && why === "we reached the limit of 60 requests as agents"
          )
      ).toBe(true)
    })
  )
})
