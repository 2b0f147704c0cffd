import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

const UNKNOWN_RUN = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
const EVENTS = { headers: { accept: "text/event-stream" } }

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
})
afterAll(() => service.stop())

const started = async (host: string): Promise<string> => {
  const answer = await service.submit({ base_url: `https://${host}` }, "?async=true")
  return ((await answer.json()) as { readonly run_id: string }).run_id
}

const pathOf = (id: string): string => `/api/public/audit/${id}`

interface StreamEvent {
  readonly name: string
  readonly id: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** What a stream says, block by block. */
const blocksOf = async function* (response: Response): AsyncGenerator<string> {
  let text = ""
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split("\n\n")
    text = blocks.pop() ?? ""
    yield* blocks
  }
}

const field = (block: string, name: string): string | null =>
  new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? null

const eventsIn = async (response: Response, seen = () => {}): Promise<ReadonlyArray<StreamEvent>> => {
  const events: Array<StreamEvent> = []
  for await (const block of blocksOf(response)) {
    const name = field(block, "event")
    if (name === null) continue
    events.push({ name, id: field(block, "id"), data: JSON.parse(field(block, "data") ?? "") })
    seen()
  }
  return events
}

describe("the events of a run", () => {
  it("tell of each step from its state at first to its end, whose fields are those of the run without its report and signature", async () => {
    const id = await started("strolling.events-one.dev")
    const response = await fetch(service.url + pathOf(id), EVENTS)
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("x-accel-buffering")).toBe("no")
    const events = await eventsIn(response, service.auditor.step)
    const steps = events.slice(0, -1)
    expect(steps.every(({ id, name }) => name === "progress" && id === null)).toBe(true)
    const done = steps.map(({ data }) => (data["progress"] as { readonly done: number }).done)
    expect([...new Set(done)].slice(0, 3)).toEqual([0, 10, 20])
    const {
      report: _,
      signature: _signature,
      ...run
    } = (await (await service.ask(pathOf(id))).json()) as Record<string, unknown>
    expect(events.at(-1)).toEqual({ name: "end", id: "end", data: run })
  })

  it("of a run that is over are its end alone", async () => {
    const { headers } = await service.submit({ base_url: "https://docs.events-two.dev" })
    const id = headers.get("x-audit-run-id") ?? ""
    const events = await eventsIn(await service.ask(pathOf(id), EVENTS))
    expect(events.map(({ name }) => name)).toEqual(["end"])
  })

  it("say why a run failed", async () => {
    const id = await started("failing.events-three.dev")
    const events = await eventsIn(await fetch(service.url + pathOf(id), EVENTS))
    expect(events.at(-1)).toMatchObject({
      name: "end",
      data: { run_id: id, status: "error", error: expect.any(String) }
    })
  })

  it("are a 204 for a client that has seen the end, which keeps browsers from connecting again", async () => {
    const { headers } = await service.submit({ base_url: "https://docs.events-four.dev" })
    const answer = await service.ask(pathOf(headers.get("x-audit-run-id") ?? ""), {
      headers: { ...EVENTS.headers, "last-event-id": "end" }
    })
    expect(answer.status).toBe(204)
  })

  it("are not for a client that also takes JSON, nor for one that takes anything", async () => {
    const { headers } = await service.submit({ base_url: "https://docs.events-five.dev" })
    const path = pathOf(headers.get("x-audit-run-id") ?? "")
    for (const accept of ["application/json, text/event-stream", "*/*", "text/html"]) {
      const answer = await service.ask(path, { headers: { accept } })
      expect(await answer.json(), accept).toMatchObject({ status: "done" })
    }
  })

  it("of an unknown run are a 404", async () => {
    const answer = await service.ask(pathOf(UNKNOWN_RUN), EVENTS)
    expect([answer.status, await answer.json()]).toEqual([404, { error: "There is no such run.", code: "not_found" }])
  })

  it("have headers without a body for HEAD", async () => {
    const id = await started("held.events-six.dev")
    const answer = await service.ask(pathOf(id), { ...EVENTS, method: "HEAD" })
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "text/event-stream",
      ""
    ])
  })

  it("are refused to a client that has 16 streams open, until one of them is closed", async () => {
    const id = await started("held.events-seven.dev")
    const first = async (closing: AbortController): Promise<number> => {
      const response = await fetch(service.url + pathOf(id), { ...EVENTS, signal: closing.signal })
      if (response.status === 200) await blocksOf(response).next()
      return response.status
    }
    const streams = Array.from({ length: 16 }, () => new AbortController())
    expect(await Promise.all(streams.map(first))).toEqual(streams.map(() => 200))
    const refused = await service.ask(pathOf(id), EVENTS)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "3"])
    expect(await refused.json()).toEqual({
      error: "Too many event streams are open. Close some, or poll the run without Accept: text/event-stream."
    })
    streams[0]?.abort()
    await expect.poll(() => first(new AbortController()), { timeout: 20_000 }).toBe(200)
    for (const stream of streams) stream.abort()
  })

  it("end when the service stops, which waits for none of them", async () => {
    const stopping = await startService()
    const answer = await stopping.submit({ base_url: "https://held.events-eight.dev" }, "?async=true")
    const { run_id: id } = (await answer.json()) as { readonly run_id: string }
    const response = await fetch(stopping.url + pathOf(id), EVENTS)
    const blocks = blocksOf(response)
    expect((await blocks.next()).value).toBe("retry: 3000")
    const rest = Array.fromAsync(blocks).then(
      () => "ended",
      () => "cut off"
    )
    await stopping.stop()
    expect(["ended", "cut off"]).toContain(await rest)
  })
})
