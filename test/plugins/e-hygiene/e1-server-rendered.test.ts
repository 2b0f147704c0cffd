import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { e1ServerRendered } from "../../../plugins/e-hygiene/e1-server-rendered.ts"
import { handbook, login, page, shell, softError } from "./Handbook.ts"

const shells = (...paths: ReadonlyArray<string>) => Object.fromEntries(paths.map((path) => [path, shell]))

testCriterion(e1ServerRendered, {
  cases: [
    {
      name: "text on every page",
      site: handbook(),
      earns: 6,
      facts: { pages: 5, substantive: 1, single_page: false },
      findings: [{ says: "All 5 pages hold text in the HTML as it is sent", proof: "/", good: true }]
    },
    {
      name: "one page of five is filled in by scripts",
      site: handbook(shells("/usage")),
      earns: 4,
      facts: { substantive: 0.8 },
      findings: [{ says: "4 of 5 pages", proof: "/usage" }, { says: "/usage holds only a placeholder until scripts run", proof: "/usage", good: false }]
    },
    { name: "three of five are", site: handbook(shells("/usage", "/limits", "/support")), earns: 2, facts: { substantive: 0.4 } },
    { name: "four of five are", site: handbook(shells("/install", "/usage", "/limits", "/support")), earns: 0, facts: { substantive: 0.2 } },
    {
      name: "one empty shell",
      site: { "/": "<!doctype html><title>App</title><div id=app></div><script src=/app.js></script>" },
      earns: 0,
      facts: { pages: 1, substantive: 0, single_page: true },
      findings: [{ says: "The one page holds no text", proof: "/" }]
    },
    {
      name: "a placeholder is no text",
      site: { "/": "<!doctype html><title>App</title><main><h1>Docs</h1><p>Loading the documentation…</p></main><noscript>You need to enable JavaScript to run this app.</noscript><script src=/app.js></script>" },
      earns: 0
    },
    {
      name: "a login and an error text are no text of their pages",
      site: handbook({ "/usage": login, "/limits": softError }),
      earns: 2,
      facts: { substantive: 0.6 },
      findings: [{ says: "A login stands in place of /usage", good: false }, { says: "/limits says that it does not exist", good: false }]
    },
    {
      name: "of few pages those that are named and missing count",
      site: { "/": page("/"), "/install": page("/install") },
      earns: 2,
      facts: { pages: 5, substantive: 0.4 },
      findings: [{ says: "/limits, named by the audited page, could not be had", proof: "/limits", good: false }]
    },
    { name: "of many they do not", site: handbook({ "/": page("/", { more: "<a href=/gone>Gone</a>" }) }), earns: 6, facts: { pages: 5 } },
    { name: "pages that cannot be had", site: { "*": { status: 429 } }, earns: "inconclusive" }
  ],
  ordeals: {
    // One endless text at every address: it is text, and sent as such.
    "huge bodies": 6
  }
})
