import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { type FakeAnswer, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { Network } from "../../../engine/evidence/http/Network.ts"
import { Transport } from "../../../engine/evidence/Transport.ts"
import { LookupTurns } from "../../../server/audits/LookupTurns.ts"
import { ClientDocuments, UNREADABLE } from "../../../server/oauth/OAuthClients.ts"

const ID = "https://app.example.com/oauth/client.json"
const DOCUMENT = {
  client_id: ID,
  client_name: "App",
  redirect_uris: ["https://app.example.com/cb"],
  token_endpoint_auth_method: "none"
}

const reading = (address: string, answer: FakeAnswer) =>
  ClientDocuments.use(({ read }) => read(address)).pipe(
    Effect.provide(
      ClientDocuments.layerOver.pipe(
        Layer.provide([layerFakeSite({ [ID]: answer }, { host: "https://app.example.com" }), LookupTurns.layer])
      )
    )
  )

const json = (value: unknown): FakeAnswer => ({ body: JSON.stringify(value), type: "application/json" })

describe("client-id metadata documents", () => {
  it.effect("describe a client", () =>
    Effect.gen(function* () {
      expect(yield* reading(ID, json(DOCUMENT))).toEqual(
        Result.succeed({ id: ID, name: "App", redirectUris: ["https://app.example.com/cb"] })
      )
    })
  )

  it.effect.each([
    ["names another client", json({ ...DOCUMENT, client_id: "https://app.example.com/other.json" })],
    ["is no object", json([DOCUMENT])],
    ["is no JSON", { body: "<html>", type: "text/html" }],
    ["is longer than 5 KB", json({ ...DOCUMENT, padding: "x".repeat(5 * 1_024) })],
    ["is a redirect", { redirect: "https://app.example.com/oauth/other.json" }],
    ["is missing", { status: 404, body: "" }],
    ["has no redirect addresses", json({ ...DOCUMENT, redirect_uris: [] })],
    ["has a redirect address for scripts", json({ ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] })]
  ] satisfies ReadonlyArray<readonly [string, FakeAnswer]>)(
    "is no client's that %s, and all are refused in the same words",
    ([, answer]) =>
      Effect.gen(function* () {
        expect(yield* reading(ID, answer)).toEqual(Result.fail(UNREADABLE))
      })
  )

  it.effect.each([
    "http://app.example.com/oauth/client.json",
    "https://app.example.com/",
    "https://app.example.com",
    `${ID}#fragment`,
    "https://user@app.example.com/oauth/client.json",
    "https://app.example.com/oauth/../oauth/client.json",
    "https://APP.example.com/oauth/client.json",
    `https://app.example.com/${"x".repeat(600)}`
  ])("are not looked for at %s", (address) =>
    Effect.gen(function* () {
      let sent = 0
      const counting = Layer.succeed(Transport, { send: () => Effect.die(new Error(`request ${++sent}`)) })
      const read = yield* ClientDocuments.use(({ read }) => read(address)).pipe(
        Effect.provide(ClientDocuments.layerOver.pipe(Layer.provide([counting, LookupTurns.layer])))
      )
      expect(Result.isFailure(read)).toBe(true)
      expect(sent).toBe(0)
    })
  )

  it.effect("are cached", () =>
    Effect.gen(function* () {
      let fetched = 0
      const answer: FakeAnswer = () => {
        fetched += 1
        return json(DOCUMENT)
      }
      const layer = ClientDocuments.layerOver.pipe(
        Layer.provide([layerFakeSite({ [ID]: answer }, { host: "https://app.example.com" }), LookupTurns.layer])
      )
      yield* Effect.provide(
        Effect.gen(function* () {
          const { read } = yield* ClientDocuments
          for (let round = 0; round < 20; round += 1) yield* read(ID)
          expect(fetched).toBe(1)
          yield* TestClock.adjust("16 minutes")
          yield* read(ID)
          expect(fetched).toBe(2)
        }),
        layer
      )
    })
  )

  it.effect("are fetched from one site at most a few times a minute", () =>
    Effect.gen(function* () {
      let sent = 0
      const counting = Layer.succeed(Transport, {
        send: () =>
          Effect.sync(() => ({
            _tag: "HopFault" as const,
            kind: "refused" as const,
            message: `request ${++sent}`,
            meta: { peer: null, sentAt: 0, firstByteMs: null, attempts: 1 }
          }))
      })
      yield* Effect.provide(
        Effect.gen(function* () {
          const { read } = yield* ClientDocuments
          for (let index = 0; index < 50; index += 1)
            expect(yield* read(`https://a${index}.example.com/client.json`)).toEqual(Result.fail(UNREADABLE))
          expect(sent).toBe(10)
          yield* read("https://app.example.org/client.json")
          expect(sent).toBe(11)
        }),
        ClientDocuments.layerOver.pipe(Layer.provide([counting, LookupTurns.layer]))
      )
    })
  )

  const dialling = (addresses: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      let dialled = 0
      const network = Layer.succeed(Network, {
        lookup: () => Promise.resolve(addresses),
        dial: () => {
          throw new Error(`dialled ${++dialled}`)
        },
        ownAddresses: () => new Set(["198.41.0.4"])
      })
      const guarded = ClientDocuments.layer({
        resolve: [],
        allowHttp: true,
        allowPrivate: false,
        refusedRanges: ["203.119.0.0/16"],
        userAgents: { docgauge: "d", browser: "b" }
      })
      const read = yield* ClientDocuments.use(({ read }) => read(ID)).pipe(
        Effect.provide(guarded.pipe(Layer.provide([network, LookupTurns.layer])))
      )
      expect(read).toEqual(Result.fail(UNREADABLE))
      return dialled
    })

  it.live.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["169.254.169.254"],
    ["::1"],
    ["93.184.216.34", "192.168.0.1"],
    ["198.41.0.4"],
    ["203.119.1.1"]
  ])(
    "are not fetched from private addresses, this machine and refused ranges, checked before a connection: %s",
    (addresses) => Effect.map(dialling([addresses].flat()), (dialled) => expect(dialled).toBe(0))
  )

  it.live("are fetched from a public host", () =>
    Effect.map(dialling(["93.184.216.34"]), (dialled) => expect(dialled).toBe(1))
  )
})
