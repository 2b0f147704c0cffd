import { a3RobotsPolicy } from "../../../plugins/a-discovery/a3-robots-policy.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"

const home = "<!doctype html><title>Docs</title><h1>Docs</h1><p>An API.</p>"
const sitemap = "Sitemap: https://docs.example.com/sitemap.xml\n"

testCriterion(a3RobotsPolicy, {
  cases: [
    {
      name: "names an agent, open, with a sitemap",
      site: {
        "/": home,
        "/robots.txt": `User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /private/\n\n${sitemap}`
      },
      earns: 3,
      facts: { valid: true, ai_agents_named: 1, content_signals: 0, sitemaps: 1, base_open: true, llms_txt_open: true },
      findings: [
        {
          says: "robots.txt lets agents that act for a user read the documentation. It names 1 AI agent",
          proof: "/robots.txt",
          good: true
        }
      ]
    },
    {
      name: "a content signal and a sitemap",
      site: {
        "/": home,
        "/robots.txt": `User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n${sitemap}`
      },
      earns: 3,
      facts: { content_signals: 1 }
    },
    {
      name: "a training agent shut out is a policy, and open to users",
      site: { "/": home, "/robots.txt": `User-agent: GPTBot\nDisallow: /\n\n${sitemap}` },
      earns: 3
    },
    { name: "a sitemap only", site: { "/": home, "/robots.txt": `User-agent: *\nDisallow:\n${sitemap}` }, earns: 3 },
    {
      name: "a relative sitemap does not count",
      site: { "/": home, "/robots.txt": "User-agent: *\nDisallow:\nSitemap: /sitemap.xml\n" },
      earns: 2,
      facts: { sitemaps: 0 }
    },
    { name: "valid and open", site: { "/": home, "/robots.txt": "User-agent: *\nAllow: /\n" }, earns: 2 },
    {
      name: "shut to everyone",
      site: { "/": home, "/robots.txt": `User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nAllow: /\n${sitemap}` },
      earns: 0,
      facts: { base_open: false },
      findings: [{ says: "The audited URL is disallowed for all agents without a group of their own", good: false }]
    },
    {
      name: "shut to an agent that fetches on a user's word",
      site: {
        "/": home,
        "/robots.txt": `User-agent: ChatGPT-User\nDisallow: /\n\nUser-agent: *\nAllow: /\n${sitemap}`
      },
      earns: 0,
      findings: [{ says: "is disallowed for ChatGPT-User." }]
    },
    {
      name: "llms.txt shut",
      site: { "/": home, "/llms.txt": "# Docs", "/robots.txt": `User-agent: *\nDisallow: /*.txt$\n${sitemap}` },
      earns: 0,
      facts: { base_open: true, llms_txt_open: false }
    },
    {
      name: "a web page in its place",
      site: { "/": home, "/robots.txt": { body: home, type: "text/plain" } },
      earns: 0,
      findings: [{ says: "/robots.txt returns an HTML page" }]
    },
    {
      name: "comments only",
      site: { "/": home, "/robots.txt": "# nothing here\n" },
      earns: 0,
      facts: { valid: false }
    },
    {
      name: "none",
      site: { "/": home },
      earns: 0,
      findings: [{ says: "There is no /robots.txt.", proof: "/robots.txt" }]
    },
    {
      name: "below a folder it has no force",
      url: "/docs",
      site: { "/docs": home, "/docs/robots.txt": `User-agent: GPTBot\nAllow: /\n${sitemap}` },
      earns: 0
    },
    { name: "the server fails", site: { "/": home, "/robots.txt": { status: 500 } }, earns: "inconclusive" }
  ]
})
