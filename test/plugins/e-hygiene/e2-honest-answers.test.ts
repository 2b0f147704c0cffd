import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import type { FakeAnswer, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { e2HonestAnswers } from "../../../plugins/e-hygiene/e2-honest-answers.ts"
import { handbook, login, page, softError } from "./Handbook.ts"

const CATCH_ALL = { "*": page("/anything") }
const DENIED = {
  status: 403,
  type: "application/xml",
  body: "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
} as const
const forText = (text: FakeAnswer, others: FakeAnswer): FakeSite => ({
  "*": ({ url }) => (/canary.*\.txt$/.test(url) ? text : others)
})
const SCRIPTED = `<title>Start</title><script>window.location.replace("/start")</script>`
const REFRESH = `<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/start">`

testCriterion(e2HonestAnswers, {
  cases: [
    {
      name: "404 for what is not there, and pages as what they are",
      site: handbook(),
      earns: 2,
      facts: {
        dishonest_canaries: 0,
        soft_errors: 0,
        login_walls: 0,
        pages: 5,
        detoured: 0,
        scripted_start: false,
        scripted: 0
      },
      findings: [
        {
          says: "Made-up URLs return 404; we found no soft 404, login wall or redirect chain on the 5 pages we read",
          good: true
        }
      ]
    },
    { name: "410 is honest, too", site: { ...handbook(), "*": { status: 410 } }, earns: 2 },
    {
      name: "a page for every address",
      site: { ...handbook(), ...CATCH_ALL },
      earns: 1,
      facts: { dishonest_canaries: 3 },
      findings: [{ says: "All 3 made-up URLs return 200 instead of 404, such as /docgauge-canary-", good: false }]
    },
    {
      name: "403 for what is not there, as storage without the right to list it answers",
      site: { ...handbook(), "*": DENIED },
      earns: 1,
      facts: { dishonest_canaries: 3, pages: 5 },
      findings: [{ says: "All 3 made-up URLs return 403 instead of 404, such as /docgauge-canary-", good: false }]
    },
    {
      name: "403 for one made-up URL, and 404 for the others",
      site: { ...handbook(), ...forText(DENIED, { status: 404 }) },
      earns: 1,
      facts: { dishonest_canaries: 1 },
      findings: [{ says: "1 of 3 made-up URLs returns 403 instead of 404", good: false }]
    },
    {
      name: "a page for one made-up URL, and 403 for the others",
      site: { ...handbook(), ...forText(page("/anything"), DENIED) },
      earns: 1,
      facts: { dishonest_canaries: 3 },
      findings: [{ says: "All 3 made-up URLs return 200 and 403 instead of 404", good: false }]
    },
    {
      name: "a bot challenge for what is not there",
      site: { ...handbook(), "*": { status: 403, headers: { "x-datadome": "protected" } } },
      earns: "inconclusive",
      findings: [
        {
          says: "Made-up URLs return 403 with a bot challenge, so we could not check what the site returns for unknown pages."
        }
      ]
    },
    {
      name: "a challenge of Cloudflare for what is not there",
      site: { ...handbook(), "*": { status: 403, headers: { "cf-mitigated": "challenge" } } },
      earns: "inconclusive"
    },
    {
      name: "401 for what is not there",
      site: { ...handbook(), "*": { status: 401 } },
      earns: "inconclusive",
      findings: [{ says: "Made-up URLs return 401, so we could not check what the site returns for unknown pages." }]
    },
    { name: "503 for what is not there", site: { ...handbook(), "*": { status: 503 } }, earns: "inconclusive" },
    { name: "403 for every URL", site: { "*": DENIED }, earns: "inconclusive" },
    { name: "a redirect to the start page is dishonest", site: { ...handbook(), "*": { redirect: "/" } }, earns: 1 },
    {
      name: "an error page with 200",
      site: handbook({ "/usage": softError }),
      earns: 1,
      facts: { soft_errors: 1 },
      findings: [{ says: "/usage is an error page with status 200", proof: "/usage", good: false }]
    },
    {
      name: "an error text in place of a Markdown version",
      site: handbook(
        {
          "/usage.md":
            "# 404. Page not found\n\nSorry, but the page you're looking for might have been moved, renamed, or no longer exists.\n"
        },
        (path) => page(path, { head: `<link rel="alternate" type="text/markdown" href="${path}.md">` })
      ),
      earns: 1,
      facts: { soft_errors: 1 },
      findings: [{ says: "/usage.md is an error message with status 200", proof: "/usage.md", good: false }]
    },
    {
      name: "an error page with 404 is honest",
      site: handbook({ "/usage": { status: 404, body: softError } }),
      earns: 2,
      facts: { soft_errors: 0, pages: 4 }
    },
    {
      name: "one page takes two redirects",
      site: handbook({
        "/usage": { redirect: "/moved" },
        "/moved": { redirect: "/moved/again" },
        "/moved/again": page("/moved/again")
      }),
      earns: 1,
      facts: { detoured: 0.2 },
      findings: [{ says: "/usage takes 2 redirects", proof: "/usage", good: false }]
    },
    {
      name: "one redirect is none too many",
      site: handbook({ "/usage": { redirect: "/usage/" }, "/usage/": page("/usage/") }),
      earns: 2,
      facts: { detoured: 0 }
    },
    {
      name: "one page is on another host",
      site: handbook({
        "/usage": { redirect: "https://old.example.com/usage" },
        "https://old.example.com/usage": page("/usage")
      }),
      earns: 1,
      facts: { detoured: 0.2 }
    },
    {
      name: "the audited address is a meta refresh",
      site: handbook({ "/": REFRESH, "/start": page("/start") }),
      earns: 1,
      facts: { scripted_start: true },
      findings: [{ says: "The audited URL redirects by meta refresh to /start", good: false }]
    },
    {
      name: "the audited address is a script that redirects",
      site: handbook({ "/": SCRIPTED, "/start": page("/start") }),
      earns: 1,
      facts: { scripted_start: true },
      findings: [{ says: "The audited URL redirects by script to /start", good: false }]
    },
    {
      name: "the same script on a page that has 400 characters of text",
      site: handbook({
        "/": `${SCRIPTED}<p>${"text ".repeat(80).trim()}.</p>`,
        "/start": page("/start")
      }),
      earns: 1,
      facts: { scripted_start: true }
    },
    {
      name: "the same script on a page with more text, which is read as it is",
      site: handbook({
        "/": `${SCRIPTED}<p>${"text ".repeat(81)}</p><a href="/usage">Usage</a>`,
        "/start": page("/start")
      }),
      earns: 2,
      facts: { scripted_start: false, scripted: 0 }
    },
    {
      name: "a login, an error page with 200, and a page for every address",
      site: { ...handbook({ "/usage": login, "/limits": softError }), ...CATCH_ALL },
      earns: 1,
      facts: { login_walls: 1, soft_errors: 1, dishonest_canaries: 3 }
    },
    {
      name: "a page that leads on by a meta refresh",
      site: handbook({ "/usage": REFRESH, "/start": page("/start") }),
      earns: 1,
      facts: { scripted_start: false, scripted: 0.2 },
      findings: [{ says: "/usage redirects by meta refresh.", good: false }]
    },
    {
      name: "and a meta refresh before all that",
      site: {
        ...handbook({ "/": REFRESH, "/start": page("/start"), "/usage": login, "/limits": softError }),
        ...CATCH_ALL
      },
      earns: 0
    },
    { name: "no page at all", site: { "*": { status: 404, body: softError } }, earns: 0, facts: { pages: 0 } },
    {
      name: "nothing answers",
      site: { "*": { delayMs: Infinity } },
      limits: { firstByteMs: 1, gatherMs: 500 },
      earns: "inconclusive"
    }
  ],
  ordeals: {
    // Addresses that do not exist answer 200, and so do error pages: they are some of the faults, not all.
    "soft 404": 1,
    "empty bodies": 1,
    "huge bodies": 1
  }
})
