import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { parseTarget } from "../../../engine/audit/Target.ts"
import { Transport } from "../../../engine/evidence/Transport.ts"
import { clientOf } from "../../../engine/limit/ClientAddress.ts"
import { parseRate, parseWindow } from "../../../engine/limit/LimitSettings.ts"
import { codingFor, isKnown } from "../../../server/response/EncodedBody.ts"
import { LookupTurns } from "../../../server/audits/LookupTurns.ts"
import { readSubmission } from "../../../server/http/handlers/SubmissionBody.ts"
import { isWithinDepth } from "../../../engine/text/JsonText.ts"
import { layerLines } from "../../../server/mcp/transport/StdioServer.ts"
import { ClientDocuments } from "../../../server/oauth/OAuthClients.ts"
import { matchesRedirect, redirectKind } from "../../../server/oauth/OAuthClient.ts"
import { readJson, readText } from "../../../server/http/request/RequestBody.ts"
import { prefersMarkdown } from "../../../server/response/Negotiation.ts"
import { type AgentService, startAgentService } from "../../server/mcp/AgentService.ts"
import { Dance } from "../../server/oauth/Dance.ts"
import { type FuzzTarget, holds, split, textOf } from "../Target.ts"

const MOST_BYTES = 64 * 1024

/** `expect` has the body read by the server's own reader, which a request without a socket has, too. */
const requestWith = (bytes: Uint8Array, type: string) =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/audit", {
      method: "POST",
      headers: { "content-type": type, expect: "100-continue" },
      body: new Uint8Array(bytes)
    })
  )

const submission =
  (type: string) =>
  async (bytes: Uint8Array): Promise<void> => {
    await Effect.runPromise(Effect.result(readSubmission(requestWith(bytes, type))))
  }

/** A client whose document is these bytes. */
const clientDocument = async (bytes: Uint8Array): Promise<void> => {
  const meta = { peer: null, sentAt: 0, firstByteMs: null, attempts: 1 }
  const transport = Layer.succeed(Transport, {
    send: () =>
      Effect.succeed({
        _tag: "HopAnswer" as const,
        status: 200,
        headers: [],
        body: bytes,
        cut: false,
        wireBytes: bytes.length,
        meta
      })
  })
  const read = ClientDocuments.use((documents) => documents.read("https://client.example/app.json"))
  await Effect.runPromise(
    Effect.provide(read, Layer.provide(ClientDocuments.layerOver, [transport, LookupTurns.layer]))
  )
}

const lines = async (bytes: Uint8Array): Promise<void> => {
  const third = Math.ceil(bytes.length / 3)
  const pieces = [0, 1, 2].map((index) => bytes.subarray(index * third, (index + 1) * third))
  const stdio = Stdio.layerTest({ stdin: Stream.fromIterable(pieces) })
  const passed = Stdio.Stdio.use(({ stdin }) => Stream.runCollect(stdin))
  const read = await Effect.runPromise(Effect.provide(passed, Layer.provide(layerLines(Effect.void), stdio)))
  for (const line of read) holds("a line that passes is a JSON value", typeof JSON.parse(textOf(line)) === "object")
}

const targets = (bytes: Uint8Array): void => {
  for (const allowed of [true, false]) {
    const rules = { allowHttp: allowed, allowPrivate: allowed, allowPorts: allowed, resolve: [] }
    const target = parseTarget(textOf(bytes), rules)
    if (Result.isFailure(target)) continue
    const again = parseTarget(target.success, rules)
    holds("a target that was read reads as itself", Result.isSuccess(again) && again.success === target.success)
  }
}

/** The service, and what an agent that was let in sends with each message. */
interface Entered {
  readonly service: AgentService
  readonly bearer: string
}

let entered: Promise<Entered> | undefined

const enter = async (): Promise<Entered> => {
  const service = await startAgentService({ ceiling: "1 second" })
  const { access_token } = await new Dance(service.url).authorized()
  return { service, bearer: `Bearer ${access_token}` }
}

/** The whole service, with an auditor that only pretends: whatever is sent, no answer is a 500. */
const posted =
  (path: string, type: string) =>
  async (bytes: Uint8Array): Promise<void> => {
    entered ??= enter()
    const {
      bearer,
      service: { url }
    } = await entered
    const headers = { "content-type": type, accept: "application/json, text/event-stream", authorization: bearer }
    const response = await fetch(url + path, {
      method: "POST",
      redirect: "manual",
      headers,
      body: new Uint8Array(bytes)
    })
    await response.body?.cancel()
    holds(
      `POST ${path} answers below 500, and not ${response.status}`,
      response.status < 500 || response.status === 503 || response.status === 504
    )
  }

/** Parsers of what clients send. */
export const serverTargets: ReadonlyArray<FuzzTarget> = [
  { name: "submission, JSON", kinds: ["json"], read: submission("application/json") },
  {
    name: "submission, form",
    kinds: ["text", "http"],
    read: submission("application/x-www-form-urlencoded; charset=utf-8")
  },
  {
    name: "submission, any type",
    kinds: ["http"],
    read: (bytes) => submission(split(bytes)[0].replaceAll(/[^\x20-\x7e]/g, ""))(bytes)
  },
  {
    name: "small bodies",
    kinds: ["json", "text"],
    read: async (bytes) => {
      await Effect.runPromise(Effect.result(readJson(requestWith(bytes, "application/json"), MOST_BYTES)))
      await Effect.runPromise(Effect.result(readText(requestWith(bytes, "text/plain"), "text/plain", MOST_BYTES)))
    }
  },
  {
    name: "JSON depth",
    kinds: ["json"],
    read: (bytes) => {
      isWithinDepth(textOf(bytes), 64)
    }
  },
  { name: "lines of standard input", kinds: ["json"], read: lines },
  { name: "client-id document", kinds: ["json"], read: clientDocument },
  {
    name: "redirect URI",
    kinds: ["text"],
    read: (bytes) => {
      const [asked, registered] = split(bytes)
      redirectKind(asked)
      holds("what matches is a redirect address", !matchesRedirect(asked, [registered]) || redirectKind(asked) !== null)
    }
  },
  { name: "audit target", kinds: ["text"], read: targets },
  {
    name: "request headers",
    kinds: ["text", "http"],
    read: (bytes) => {
      const text = textOf(bytes)
      clientOf({ peer: text, forwardedFor: text }, 3)
      codingFor(text)
      isKnown(text, "digest")
      prefersMarkdown(text)
    }
  },
  {
    name: "rate and window",
    kinds: ["text"],
    read: (bytes) => {
      parseRate(textOf(bytes))
      parseWindow(textOf(bytes))
    }
  },
  { name: "POST /audit", kinds: ["json", "text"], read: posted("/audit?async=true", "application/json") },
  { name: "POST /mcp", kinds: ["json"], read: posted("/mcp", "application/json") },
  { name: "POST /oauth/register", kinds: ["json"], read: posted("/oauth/register", "application/json") },
  {
    name: "POST /oauth/token",
    kinds: ["text", "http"],
    read: posted("/oauth/token", "application/x-www-form-urlencoded")
  }
]

/** Ends what the targets started. */
export const stopServer = async (): Promise<void> => {
  await (await entered)?.service.stop()
}
