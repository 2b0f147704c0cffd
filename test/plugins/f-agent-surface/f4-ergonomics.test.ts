import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { f4Ergonomics } from "../../../plugins/f-agent-surface/f4-ergonomics.ts"
import { code, manual, type ManualPage, plain } from "../d-content/Manual.ts"

const HOST = "https://docs.orders.dev"

/** The manual on a host that names the product, `orders`. */
const site = (pages: Readonly<Record<string, ManualPage>>): FakeSite =>
  Object.fromEntries(Object.entries(manual({ ...plain, ...pages })).map(([path, answer]) => [HOST + path, answer]))

const start = (body: string) => ({ "/begin": { title: "First order", body } })
const INSTALL = code("pip install orders-sdk", "bash")
const AGENTS = { "/for-agents": { title: "Orders for AI agents", body: "" } }
const titled = (title: string) => ({ "/some": { title, body: "" } })

const installs = (line: string, earns: 0 | "partial", name = line) => ({
  name,
  url: HOST,
  site: site(start(code(line, "bash"))),
  earns,
  facts: { install_line: earns === "partial" }
})
const offers = (name: string, body: string, earns: 0 | "partial") => ({
  name,
  url: HOST,
  site: site(start(body)),
  earns,
  facts: { page_actions: earns === "partial" }
})
const addressed = (title: string, earns: 0 | "partial") => ({
  name: `a page titled ${title}`,
  url: HOST,
  site: site(titled(title)),
  earns,
  facts: { agents_page: earns === "partial" }
})

testCriterion(f4Ergonomics, {
  cases: [
    {
      name: "an install line and a page for agents",
      url: HOST,
      site: site({ ...start(INSTALL), ...AGENTS }),
      earns: 1,
      facts: { install_line: true, page_actions: false, agents_page: true },
      findings: [
        { says: "/begin shows how to install the product.", proof: `${HOST}/begin`, good: true },
        { says: "/for-agents is about using the product with agents or assistants.", good: true }
      ]
    },
    {
      name: "an install line alone",
      url: HOST,
      site: site(start(INSTALL)),
      earns: "partial",
      findings: [{ says: "No sampled page has a button to copy or view it as Markdown", good: false }]
    },
    installs("npm install @orders/sdk", "partial"),
    installs('uv add "orders[cli]"', "partial"),
    installs('{:orders, "~> 1.0"}', "partial"),
    installs("docker pull acme/orders:2", "partial"),
    installs("curl -fsSL https://orders.dev/install.sh | sh", "partial"),
    installs(
      "docker run --name web -d \\\n  -p 80:80 -v ./data:/var/data \\\n  acme/orders:2",
      "partial",
      "a container that is run"
    ),
    installs("helm install orders acme/orders", "partial"),
    installs("nix profile install github:acme/orders#server", "partial"),
    installs("sudo dpkg -i orders_2.1_amd64.deb", "partial"),
    installs("docker run -d postgres:17", 0),
    installs("docker run -v ./orders/data:/var/orders library/redis", 0),
    installs("npm install express", 0),
    installs("curl -fsSL https://ollama.com/install.sh | sh", 0),
    {
      name: "an install line beside the code",
      url: HOST,
      site: site(start("<div>pip install orders-sdk</div>")),
      earns: "partial"
    },
    {
      name: "a command that ends the line which leads to it",
      url: HOST,
      site: site(start("<p>Install with <code>npm install @orders/sdk</code></p>")),
      earns: "partial",
      facts: { install_line: true }
    },
    {
      name: "running text is no install line",
      url: HOST,
      site: site(start("<p>You may pip install orders-sdk some day.</p>")),
      earns: 0
    },
    offers("a button that copies the page", "<button>Copy page</button>", "partial"),
    offers("a button that copies code", "<button>Copy</button>", 0),
    offers("a link to the page as Markdown", '<a href="/begin.md">View as Markdown</a>', "partial"),
    offers("a link to its source on the site", '<a href="/sources/begin.md.txt">View source</a>', "partial"),
    offers(
      "a link to its source on a code host",
      '<a href="https://github.com/acme/docs/blob/main/begin.md">View source</a>',
      0
    ),
    offers(
      "a script that makes a button to copy the page",
      '<script src="/js/copy-as-markdown.js"></script>',
      "partial"
    ),
    offers("a script that makes buttons to copy code", '<script src="/js/copybutton.js"></script>', 0),
    offers("a link to an editor", '<a href="https://github.com/acme/docs/edit/main/begin.md">Edit this page</a>', 0),
    offers(
      "a link that opens it in an assistant",
      '<a href="https://chatgpt.com/?q=Read+this">Ask ChatGPT</a>',
      "partial"
    ),
    offers("a link to an assistant", '<a href="https://chatgpt.com/">ChatGPT</a>', 0),
    addressed("Orders for AI agents", "partial"),
    addressed("Using Orders with Claude", "partial"),
    addressed("llms.txt", "partial"),
    addressed("Agent skills", "partial"),
    addressed("Support agents and their teams", 0),
    addressed("A toolkit for the llms.txt standard", 0),
    addressed("Prompts to paste (for your assistant)", "partial"),
    addressed("Designing prompts", 0),
    addressed("Using Orders with your AI coding agents", "partial"),
    addressed("Build with AI assistants", "partial"),
    addressed("Build with an LLM", "partial"),
    addressed("Setup for coding assistants", "partial"),
    addressed("Use your coding copilot", "partial"),
    addressed("Using Orders with Cursor", "partial"),
    addressed("Paginating through lists using cursor pagination", 0),
    addressed("Pagination with a cursor", 0),
    addressed("Paginate with Cursor", 0),
    addressed("Using Cursor-based pagination", 0),
    addressed("Set availability for agents", 0),
    addressed("Orders for agents", 0),
    {
      name: "a page for agents that speaks of models",
      url: HOST,
      site: site({ "/some": { title: "Orders for agents", body: "<p>Connect to the MCP server first.</p>" } }),
      earns: "partial",
      facts: { agents_page: true }
    },
    ...["Claude Setup Guide (Desktop & Web)", "ChatGPT & other assistants: setup", "Claude Code Skill"].map(
      (title) => ({
        name: `a page titled ${title} that connects it`,
        url: HOST,
        site: site({ "/some": { title, body: "<p>Add the MCP server, or copy SKILL.md into the project.</p>" } }),
        earns: "partial" as const,
        facts: { agents_page: true }
      })
    ),
    addressed("Claude setup", 0),
    {
      name: "a page about the product's skill",
      url: HOST,
      site: site({
        "/some": { title: "Orders skills", body: "<p>Copy <code>orders/SKILL.md</code> to your agent.</p>" }
      }),
      earns: "partial",
      facts: { agents_page: true }
    },
    addressed("Skills of a support agent", 0),
    {
      name: "a page of prompts that are given to a model, which writes a client",
      url: HOST,
      site: site({
        "/some": {
          title: "Start with prompts",
          body: "<p>Paste one of these prompts into your coding assistant; it then writes a client for you.</p>"
        }
      }),
      earns: "partial",
      facts: { agents_page: true }
    },
    {
      name: "prompts that are a feature of the product",
      url: HOST,
      site: site({
        "/some": { title: "Prompts", body: "<p>A prompt asks the customer for a number. Send it with the order.</p>" },
        "/other": { title: "Prompt templates", body: "<p>Send the prompts to our model, which writes an answer.</p>" }
      }),
      earns: 0,
      facts: { agents_page: false }
    },
    {
      name: "a start page that says whom the product is for",
      url: HOST,
      site: {
        ...site({}),
        [`${HOST}/`]:
          "<!doctype html><title>Orders for AI agents</title><main><h1>Orders for AI agents</h1><p>A service that keeps the orders of your agents.</p></main>"
      },
      earns: 0,
      facts: { agents_page: false }
    },
    {
      name: "news about agents",
      url: HOST,
      site: site({ "/blog/agents": { title: "Orders for AI agents", body: "" } }),
      earns: 0,
      facts: { agents_page: false }
    },
    {
      name: "nothing",
      url: HOST,
      site: site({}),
      earns: 0,
      findings: [{ says: "No page that we read shows how to install the product.", good: false }]
    },
    { name: "pages that do not answer", url: HOST, site: { "*": { status: 503 } }, earns: "inconclusive" }
  ]
})
