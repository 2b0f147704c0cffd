import { describe, expect, it } from "vitest"
import { type FakeAnswer, FAKE_HOST } from "../../../engine/testing/FakeSite.ts"
import { answersAt, audited, numbers, siteOf, unasked } from "./FlowSite.ts"

/* The longest sound flow of each part that asks for what is made for agents: nothing is left out. */

const guide = (): Record<string, FakeAnswer> =>
  siteOf(
    numbers(6).map((n) => `/guide/p${n}`),
    "",
    "/guide/"
  )

const json = (value: unknown): FakeAnswer => ({ type: "application/json", body: JSON.stringify(value) })

describe("an MCP server", () => {
  it("may have cards at two places that name two endpoints, each of which redirects with 307 and asks for a login", async () => {
    // The names of example.com are placeholders.
    const HOST = "https://docs.orders.dev"
    const cards = ["/.well-known/mcp.json", "/.well-known/mcp/server-card.json"]
    const endpoints = ["https://mcp.orders.dev/v1/mcp", `${HOST}/tools/mcp`]
    const metadata = endpoints.flatMap((url) => {
      const { origin, pathname } = new URL(url)
      const root = `${origin}/.well-known/oauth-protected-resource`
      return [`${root}${pathname}`, root]
    })
    const card = (at: number) =>
      json({ name: "orders", version: "1.0.0", transport: { type: "streamable-http", url: endpoints[at] } })
    const { asked, factsOf, skipped } = await audited(
      {
        ...guide(),
        ...answersAt(cards, (_, at) => card(at)),
        ...answersAt(endpoints, (url) => ({ status: 307, redirect: `${url}/` })),
        ...answersAt(
          endpoints.map((url) => `${url}/`),
          () => ({ status: 401, type: "application/json", body: "{}" })
        ),
        [metadata[2] ?? ""]: json({ resource: endpoints[1], authorization_servers: ["https://login.orders.dev"] })
      },
      "/guide/",
      HOST
    )
    expect(skipped).toEqual([])
    expect(
      unasked(
        asked,
        [...cards, ...endpoints, ...metadata].map((url) => url.replace(HOST, ""))
      )
    ).toEqual([])
    expect(factsOf("F1")).toMatchObject({ answering: true, card: true })
  })
})

describe("a catalogue and OAuth metadata", () => {
  it("may be at two authorization servers with paths, of which the last document is the sound one", async () => {
    const issuers = ["https://auth.example.com/staff", "https://auth.example.com/customers"]
    const own = ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"].map(
      (name) => `/.well-known/${name}`
    )
    const servers = issuers.flatMap((issuer) => {
      const { origin, pathname } = new URL(issuer)
      return [
        `${origin}/.well-known/oauth-authorization-server${pathname}`,
        `${issuer}/.well-known/openid-configuration`
      ]
    })
    const endpoints = ["keys", "authorize", "token"].map((name) => `${issuers[1]}/${name}`)
    const [jwks_uri, authorization_endpoint, token_endpoint] = endpoints
    const { asked, factsOf, skipped } = await audited(
      {
        ...guide(),
        "/.well-known/api-catalog": {
          type: "application/linkset+json",
          body: JSON.stringify({
            linkset: [{ anchor: `${FAKE_HOST}/api`, "service-doc": [{ href: `${FAKE_HOST}/guide/` }] }]
          })
        },
        [own[2] ?? ""]: json({ resource: FAKE_HOST, authorization_servers: issuers }),
        [servers[3] ?? ""]: json({
          issuer: issuers[1],
          jwks_uri,
          authorization_endpoint,
          token_endpoint,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"]
        }),
        ...answersAt(endpoints, () => ({ status: 400, type: "application/json", body: "{}" }))
      },
      "/guide/"
    )
    expect(skipped).toEqual([])
    expect(unasked(asked, ["/.well-known/api-catalog", ...own, ...servers, ...endpoints])).toEqual([])
    expect(factsOf("F2")).toEqual({ catalogue: "valid", auth: "valid" })
  })
})

describe("an AI catalogue", () => {
  const CATALOG = "/.well-known/ai-catalog.json"
  const entry = (type: string, name: string) => ({ identifier: `urn:air:example.com:${name}`, type, url: `/${name}` })
  const signalOf = async (entries: ReadonlyArray<object>, calls: Array<string> = []) => {
    const { asked, signals } = await audited(
      { ...guide(), [CATALOG]: json({ specVersion: "0.9", entries }) },
      "/guide/"
    )
    calls.push(...asked.filter((url) => url.endsWith("catalog.json")))
    return signals.find(({ id }) => id === "ai_catalog")
  }

  it("is a signal that says what it lists, from the one request that F1 reads, too", async () => {
    const calls: Array<string> = []
    const entries = [
      entry("application/mcp-server-card+json", "docs"),
      entry("application/agent-skills+md", "one"),
      entry("application/agent-skills+zip", "two"),
      entry("text/csv", "prices")
    ]
    expect(await signalOf(entries, calls)).toMatchObject({
      seen: true,
      url: FAKE_HOST + CATALOG,
      detail: "It lists 1 MCP server, 2 skills and 1 other entry."
    })
    expect(calls).toEqual([CATALOG])
  })

  it("is not seen where it is not valid, and the signal says why", async () => {
    expect(await signalOf([{ identifier: "urn:air:example.com:docs", type: "text/csv" }])).toMatchObject({
      seen: false,
      detail: "/.well-known/ai-catalog.json is not a valid one: entry 1 has neither url nor data."
    })
  })
})

describe("instructions for agents", () => {
  it("may be all there at the origin and in the folder, each index with three skills, of which one is tried", async () => {
    const places = ["", "/guide"]
    const skills = places.flatMap((place) => numbers(3).map((n) => `${place}/skills/s${n}.md`))
    const index = (place: string) =>
      json({
        skills: numbers(3).map((n) => ({
          name: `s${n}`,
          description: "Sends an order.",
          url: `${place}/skills/s${n}.md`
        }))
      })
    const text = `# Orders\n\n${"Send an order with one call, and read its state with another. ".repeat(8)}\n`
    const cards = json({
      name: "Orders",
      description: "Sends orders.",
      version: "1.0.0",
      url: "https://agents.example.com/orders",
      protocolVersion: "0.3.0",
      capabilities: {},
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "order", name: "Order" }]
    })
    const { asked, factsOf, skipped } = await audited(
      {
        ...guide(),
        ...answersAt(
          places.map((place) => `${place}/.well-known/agent-skills/index.json`),
          (_, at) => index(places[at] ?? "")
        ),
        ...answersAt(
          places.map((place) => `${place}/.well-known/agent-card.json`),
          () => cards
        ),
        ...answersAt([...places.flatMap((place) => [`${place}/AGENTS.md`, `${place}/skill.md`]), ...skills], () => text)
      },
      "/guide/"
    )
    expect(skipped).toEqual([])
    expect(asked.filter((url) => skills.includes(url))).toEqual(["/guide/skills/s1.md", "/skills/s1.md"])
    expect(factsOf("F3")).toEqual({ documents: 8, valid: 8 })
  })
})
