import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import type { FakeAnswer, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { f1McpServer } from "../../../plugins/f-agent-surface/f1-mcp-server.ts"
import { code, manual, plain } from "../d-content/Manual.ts"

const URL = "https://docs.orders.dev/"
const HOST = "https://docs.orders.dev"

/** The manual on a host that names the product, `orders`. */
const site = (body: string, others: FakeSite = {}): FakeSite => ({
  ...Object.fromEntries(
    Object.entries(manual({ ...plain, "/mcp-server": { title: "MCP server", body } })).map(([path, answer]) => [
      HOST + path,
      answer
    ])
  ),
  ...others
})

const INITIALIZED = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "orders", version: "1.0.0" } }
})
const CARD = JSON.stringify({
  name: "orders",
  version: "1.0.0",
  transports: [{ type: "stdio", command: "npx", args: ["orders-mcp"] }]
})
/** How a server of revision 2026-07-28 refuses a request, and how it answers `server/discover`. */
const refused = (status: number, error: object): FakeAnswer => ({
  status,
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, error }),
  type: "application/json"
})
const DISCOVERED: FakeAnswer = {
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    result: { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ttlMs: 0 }
  }),
  type: "application/json"
}
const withoutHandshake: FakeAnswer = ({ body = "" }) =>
  body.includes('"server/discover"') && body.includes('"io.modelcontextprotocol/protocolVersion":"2026-07-28"')
    ? DISCOVERED
    : refused(400, { code: -32_020, message: "MCP-Protocol-Version is missing" })
const posted = (answer: FakeAnswer): FakeAnswer => ({ status: 405, byMethod: { POST: answer } })
const named = (url: string) => code(JSON.stringify({ url }), "json")

const REMOTE = JSON.stringify({
  name: "dev.orders/docs",
  version: "1.0.0",
  remotes: [{ type: "streamable-http", url: `${HOST}/mcp` }]
})
const catalogue = (url: string): FakeAnswer => ({
  body: JSON.stringify({
    specVersion: "1.0",
    entries: [{ identifier: "urn:air:orders", type: "application/mcp-server-card+json", url }]
  }),
  type: "application/json"
})
const cardAt = (place: string): FakeSite => ({
  [HOST + place]: { body: REMOTE, type: "application/mcp-server-card+json" }
})

testCriterion(f1McpServer, {
  cases: [
    {
      name: "a card that the AI catalogue lists",
      url: URL,
      site: site("", {
        ...cardAt("/mcp/server-card"),
        [`${HOST}/.well-known/ai-catalog.json`]: catalogue("/mcp/server-card")
      }),
      earns: "partial",
      facts: { answering: false, card: true },
      findings: [{ says: "/mcp/server-card is a valid server card.", proof: `${HOST}/mcp/server-card`, good: true }]
    },
    {
      name: "a card that the AI catalogue lists and that is not there: those at earlier places are not asked for",
      url: URL,
      site: site("", {
        ...cardAt("/.well-known/mcp-server-card"),
        [`${HOST}/.well-known/ai-catalog.json`]: catalogue("/mcp/server-card")
      }),
      earns: 0,
      facts: { card: false },
      findings: [
        {
          says: "The AI catalogue lists a server card at /mcp/server-card, which returns 404.",
          proof: `${HOST}/mcp/server-card`,
          good: false
        }
      ]
    },
    {
      name: "a card of a catalogue that robots.txt names",
      url: URL,
      site: site("", {
        ...cardAt("/mcp/server-card"),
        [`${HOST}/robots.txt`]: `User-agent: *\nAllow: /\nAgentmap: ${HOST}/ai/catalog.json\n`,
        [`${HOST}/ai/catalog.json`]: catalogue(`${HOST}/mcp/server-card`)
      }),
      earns: "partial",
      facts: { card: true }
    },
    {
      name: "a card that the AI catalogue holds",
      url: URL,
      site: site("", {
        [`${HOST}/.well-known/ai-catalog.json`]: JSON.stringify({
          specVersion: "0.9",
          entries: [
            {
              identifier: "urn:air:orders.dev:docs",
              type: "application/mcp-server-card+json",
              data: JSON.parse(REMOTE)
            }
          ]
        })
      }),
      earns: "partial",
      facts: { card: true },
      findings: [{ says: "/.well-known/ai-catalog.json holds a valid server card.", good: true }]
    },
    {
      name: "a card of a catalogue that the base page names",
      url: URL,
      site: site("", {
        ...cardAt("/mcp/server-card"),
        [`${HOST}/`]: { body: manual(plain)["/"] as string, headers: { Link: '</ai.json>; rel="ai-catalog"' } },
        [`${HOST}/ai.json`]: catalogue(`${HOST}/mcp/server-card`)
      }),
      earns: "partial",
      facts: { card: true }
    },
    {
      name: "a card of the catalogue of MCP, as it was before it became the AI catalogue",
      url: URL,
      site: site("", {
        ...cardAt("/mcp/server-card"),
        [`${HOST}/.well-known/mcp/catalog.json`]: catalogue("/mcp/server-card")
      }),
      earns: "partial",
      facts: { card: true }
    },
    {
      name: "a card where an earlier proposal had it",
      url: URL,
      site: site("", cardAt("/.well-known/mcp-server-card")),
      earns: "partial",
      facts: { card: true }
    },
    {
      name: "a catalogue that lists a card on another site, which is not contacted",
      url: URL,
      site: site("", { [`${HOST}/.well-known/ai-catalog.json`]: catalogue("https://elsewhere.example.com/card") }),
      earns: 0,
      facts: { card: false }
    },
    {
      name: "an endpoint that the pages name answers",
      url: URL,
      site: site(named(`${HOST}/mcp`), { [`${HOST}/mcp`]: posted({ body: INITIALIZED, type: "application/json" }) }),
      earns: 1,
      facts: { answering: true, card: false },
      findings: [{ says: "An MCP server answers at https://docs.orders.dev/mcp", good: true }]
    },
    {
      name: "it answers as a stream of events",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ body: `event: message\ndata: ${INITIALIZED}\n\n`, type: "text/event-stream" })
      }),
      earns: 1
    },
    {
      name: "it notifies first, and splits its response into lines",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({
          body: `data:\n\ndata: {"method":"notifications/message"}\n\n${JSON.stringify(JSON.parse(INITIALIZED), null, 1)
            .split("\n")
            .map((line) => `data: ${line}\n`)
            .join("")}\n`,
          type: "text/event-stream"
        })
      }),
      earns: 1
    },
    {
      name: "it moves the request to another URL",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ status: 308, redirect: "/mcp/" }),
        [`${HOST}/mcp/`]: posted({ body: INITIALIZED, type: "application/json" })
      }),
      earns: 1
    },
    {
      name: "it would have the request repeated as a GET",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ status: 302, redirect: "/mcp/" }),
        [`${HOST}/mcp/`]: { body: INITIALIZED, type: "application/json" }
      }),
      earns: "partial",
      facts: { answering: false }
    },
    {
      name: "it asks for a token, and the metadata is at the well-known URL of its path",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ status: 401 }),
        [`${HOST}/.well-known/oauth-protected-resource/mcp`]: JSON.stringify({
          resource: `${HOST}/mcp`,
          authorization_servers: [HOST]
        })
      }),
      earns: 1
    },
    {
      name: "it asks for a token, and its metadata does not answer",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ status: 401 }),
        [`${HOST}/.well-known/oauth-protected-resource`]: { status: 503 }
      }),
      earns: "inconclusive"
    },
    {
      name: "its cards are refused",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ body: INITIALIZED, type: "application/json" }),
        [`${HOST}/.well-known/mcp.json`]: { status: 403 },
        [`${HOST}/.well-known/mcp/server-card.json`]: { status: 503 }
      }),
      earns: 1
    },
    {
      name: "it asks for a token, and says where to get one",
      url: URL,
      site: site(named("https://mcp.orders.dev/mcp"), {
        "https://mcp.orders.dev/mcp": posted({
          status: 401,
          headers: { "WWW-Authenticate": `Bearer resource_metadata="${HOST}/.well-known/oauth-protected-resource"` }
        }),
        [`${HOST}/.well-known/oauth-protected-resource`]: JSON.stringify({
          resource: "https://mcp.orders.dev/mcp",
          authorization_servers: [HOST]
        })
      }),
      earns: 1
    },
    {
      name: "it asks for a token, and its metadata is about another resource, which a client must not use",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({
          status: 401,
          headers: { "WWW-Authenticate": `Bearer resource_metadata="${HOST}/.well-known/oauth-protected-resource/mcp"` }
        }),
        [`${HOST}/.well-known/oauth-protected-resource/mcp`]: JSON.stringify({
          resource: "https://mcp.elsewhere.dev/mcp",
          authorization_servers: [HOST]
        })
      }),
      earns: "partial",
      facts: { answering: false },
      findings: [
        {
          says: "https://docs.orders.dev/mcp is named as an MCP endpoint and asks for a token, but /.well-known/oauth-protected-resource/mcp is not its protected-resource metadata: its resource is https://mcp.elsewhere.dev/mcp, not https://docs.orders.dev/mcp.",
          proof: `${HOST}/.well-known/oauth-protected-resource/mcp`,
          good: false
        }
      ]
    },
    {
      name: "it asks for a token, and its metadata names no authorization server",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ status: 401 }),
        [`${HOST}/.well-known/oauth-protected-resource/mcp`]: JSON.stringify({ resource: `${HOST}/mcp` })
      }),
      earns: "partial",
      facts: { answering: false },
      findings: [{ says: "it names no authorization server", good: false }]
    },
    {
      name: "it asks for a token, and the metadata of its origin is about all that is there",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted({ status: 401 }),
        [`${HOST}/.well-known/oauth-protected-resource`]: JSON.stringify({
          resource: `${HOST}/`,
          authorization_servers: [HOST]
        })
      }),
      earns: 1
    },
    {
      name: "it speaks the newest revision only, which has no handshake",
      url: URL,
      site: site(named(`${HOST}/mcp`), { [`${HOST}/mcp`]: posted(withoutHandshake) }),
      earns: 1,
      facts: { answering: true },
      findings: [{ says: "An MCP server answers at https://docs.orders.dev/mcp", good: true }]
    },
    {
      name: "it speaks the newest revision only, and does not know the method of the handshake",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted(({ body = "" }) =>
          body.includes("initialize") ? refused(404, { code: -32_601, message: "Method not found" }) : DISCOVERED
        )
      }),
      earns: 1
    },
    {
      name: "it speaks revisions that we do not know, and names them",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted(
          refused(400, { code: -32_022, message: "Unsupported", data: { supported: ["2027-01-31"] } })
        )
      }),
      earns: 1
    },
    {
      name: "it refuses both with the same error",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted(refused(400, { code: -32_000, message: "No session" }))
      }),
      earns: "partial",
      facts: { answering: false }
    },
    {
      name: "it refuses the handshake, and then does not answer",
      url: URL,
      site: site(named(`${HOST}/mcp`), {
        [`${HOST}/mcp`]: posted(({ body = "" }) =>
          body.includes("initialize") ? refused(400, { code: -32_600, message: "No" }) : { status: 503 }
        )
      }),
      earns: "inconclusive",
      findings: [
        {
          says: "https://docs.orders.dev/mcp is named as an MCP endpoint; whether it is one could not be checked.",
          good: false
        }
      ]
    },
    {
      name: "it asks for a token, and says nothing more",
      url: URL,
      site: site(named(`${HOST}/mcp`), { [`${HOST}/mcp`]: posted({ status: 401 }) }),
      earns: "partial",
      facts: { answering: false, documented: true }
    },
    {
      name: "it answers with a page",
      url: URL,
      site: site(named(`${HOST}/mcp`), { [`${HOST}/mcp`]: "<!doctype html><title>MCP</title><h1>MCP</h1>" }),
      earns: "partial",
      facts: { answering: false, documented: true },
      findings: [
        { says: "https://docs.orders.dev/mcp is named as an MCP endpoint, but does not answer as one", good: false },
        {
          says: "/mcp-server names the MCP endpoint https://docs.orders.dev/mcp",
          proof: `${HOST}/mcp-server`,
          good: true
        }
      ]
    },
    {
      name: "a card",
      url: URL,
      site: site("", { [`${HOST}/.well-known/mcp/server-card.json`]: CARD }),
      earns: "partial",
      facts: { card: true },
      findings: [
        {
          says: "/.well-known/mcp/server-card.json is a valid server card",
          proof: `${HOST}/.well-known/mcp/server-card.json`,
          good: true
        }
      ]
    },
    {
      name: "a card without a way to reach the server",
      url: URL,
      site: site("", { [`${HOST}/.well-known/mcp.json`]: JSON.stringify({ name: "orders", version: "1.0.0" }) }),
      earns: 0,
      findings: [{ says: "/.well-known/mcp.json is not a valid server card", good: false }]
    },
    {
      name: "a page in the place of each card",
      url: URL,
      site: {
        ...site(""),
        "*": "<!doctype html><title>Orders</title><main><h1>Orders</h1><p>Welcome to the orders of all our customers, near and far.</p></main>"
      },
      earns: 0,
      facts: { card: false }
    },
    {
      name: "an endpoint elsewhere that is named after the product",
      url: URL,
      site: site(named("https://mcp.orders-cloud.com/mcp")),
      earns: "partial",
      facts: { documented: true },
      findings: [{ says: "/mcp-server names the MCP endpoint https://mcp.orders-cloud.com/mcp", good: true }]
    },
    {
      name: "an endpoint of others",
      url: URL,
      site: site(named("https://mcp.notion.com/mcp")),
      earns: 0,
      facts: { documented: false }
    },
    {
      name: "an endpoint on the reader's own machine",
      url: URL,
      site: site(named("http://localhost:8000/mcp")),
      earns: 0
    },
    {
      name: "a path is no endpoint",
      url: URL,
      site: site("<p>Point your client at <code>/api/v1/mcp</code>.</p>"),
      earns: 0
    },
    {
      name: "a snippet that adds the product's server",
      url: URL,
      site: site(code('{ "mcpServers": { "orders": { "command": "npx", "args": ["-y", "@orders/mcp"] } } }', "json")),
      earns: "partial",
      facts: { snippet: true },
      findings: [
        {
          says: "/mcp-server shows how to add the product's own server to a client",
          proof: `${HOST}/mcp-server`,
          good: true
        }
      ]
    },
    {
      name: "a command that does",
      url: URL,
      site: site(code("claude mcp add orders -- npx orders-mcp", "bash")),
      earns: "partial"
    },
    {
      name: "a snippet that adds a server of others",
      url: URL,
      site: site(code('{ "mcpServers": { "github": { "command": "npx", "args": ["-y", "@github/mcp"] } } }', "json")),
      earns: 0,
      facts: { snippet: false }
    },
    {
      name: "an endpoint that the text names",
      url: URL,
      site: site("<p>Point your client at https://mcp.orders.dev/mcp and sign in.</p>"),
      earns: "partial",
      facts: { documented: true }
    },
    {
      name: "an endpoint that llms.txt links to",
      url: URL,
      site: site("", {
        [`${HOST}/llms.txt`]: "# Orders\n\n## Tools\n\n- [Server](https://mcp.orders.dev/): tools for agents\n"
      }),
      earns: "partial",
      facts: { documented: true }
    },
    {
      name: "a page about the server that llms.txt links to is no endpoint",
      url: URL,
      site: {
        ...site("", {
          [`${HOST}/llms.txt`]: `# Orders\n\n## Guides\n\n- [MCP](${HOST}/guides/mcp): how to use it\n- [Start](${HOST}/mcp): where to begin\n`
        }),
        ...Object.fromEntries(
          ["/guides/mcp", "/mcp"].map((path) => [
            HOST + path,
            "<!doctype html><title>MCP</title><main><h1>MCP</h1><p>Our server has tools that list the orders of a customer and change them, one by one or all at once, and more.</p></main>"
          ])
        )
      },
      earns: 0,
      facts: { documented: false }
    },
    {
      name: "a link to the package of the product's server",
      url: URL,
      site: site('<p>Install <a href="https://www.npmjs.com/package/@orders/mcp-server">our server</a>.</p>'),
      earns: "partial",
      facts: { package: true, documented: false },
      findings: [
        {
          says: "/mcp-server links to https://www.npmjs.com/package/@orders/mcp-server, a package of the product's own server",
          proof: `${HOST}/mcp-server`,
          good: true
        }
      ]
    },
    {
      name: "a link to the package in llms.txt",
      url: URL,
      site: site("", {
        [`${HOST}/llms.txt`]:
          "# Orders\n\n## Tools\n\n- [Server](https://pypi.org/project/orders-mcp/): tools for agents\n"
      }),
      earns: "partial",
      facts: { package: true }
    },
    {
      name: "a link to the package of another server",
      url: URL,
      site: site('<a href="https://www.npmjs.com/package/@github/mcp-server">a server</a>'),
      earns: 0,
      facts: { package: false }
    },
    {
      name: "a link to another package of the product",
      url: URL,
      site: site('<a href="https://www.npmjs.com/package/@orders/sdk">our client</a>'),
      earns: 0,
      facts: { package: false }
    },
    {
      name: "nothing",
      url: URL,
      site: site(""),
      earns: 0,
      findings: [{ says: "We found no MCP server card", good: false }]
    },
    { name: "cards that do not answer", url: URL, site: { "*": { status: 503 } }, earns: "inconclusive" }
  ]
})
