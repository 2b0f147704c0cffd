import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { e1ServerRendered } from "../../../plugins/e-hygiene/e1-server-rendered.ts"
import { handbook, login, page, shell, softError } from "./Handbook.ts"

const shells = (...paths: ReadonlyArray<string>) => Object.fromEntries(paths.map((path) => [path, shell]))

testCriterion(e1ServerRendered, {
  cases: [
    {
      name: "text on every page",
      site: handbook(),
      earns: 7,
      facts: { pages: 5, substantive: 1, single_page: false },
      findings: [{ says: "All 5 pages have their text in the HTML as sent", proof: "/", good: true }]
    },
    {
      name: "sections that have headings and nothing below them",
      site: handbook({
        "/usage": page("/usage", {
          more: '<h2>Parameters</h2><div id="parameters"></div><h2>Response</h2><div></div><h2>Errors</h2><p>None are known.</p>'
        })
      }),
      earns: 7,
      facts: { substantive: 1 },
      findings: [
        {
          says: '1 of 5 pages with text has sections with nothing below their heading in the HTML, such as "Parameters" and "Response" on /usage: if scripts fill these',
          proof: "/usage",
          good: false
        }
      ]
    },
    {
      name: "one page of five is filled in by scripts",
      site: handbook(shells("/usage")),
      earns: 5,
      facts: { substantive: 0.8 },
      findings: [
        { says: "4 of 5 pages", proof: "/usage" },
        { says: "/usage shows only a placeholder until scripts run", proof: "/usage", good: false }
      ]
    },
    {
      name: "a component that the generator made a page of and lists in the sitemap",
      site: handbook({
        "/components/logo": `<!doctype html><title>Handbook</title><main><svg></svg></main>`,
        "/sitemap.xml": `<urlset><url><loc>https://docs.example.com/components/logo</loc></url></urlset>`
      }),
      earns: 5,
      findings: [
        {
          says: "/components/logo has no main content in the HTML. If it is not meant to be read, leave it out of the build or the sitemap.",
          good: false
        }
      ]
    },
    {
      name: "a page that has moved and leads on by a meta refresh is none without text",
      site: handbook({ "/usage": '<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/">' }),
      earns: 7,
      facts: { pages: 4, substantive: 1 }
    },
    {
      name: "three of five are",
      site: handbook(shells("/usage", "/limits", "/support")),
      earns: 2,
      facts: { substantive: 0.4 }
    },
    {
      name: "four of five are",
      site: handbook(shells("/install", "/usage", "/limits", "/support")),
      earns: 0,
      facts: { substantive: 0.2 }
    },
    {
      name: "one empty shell",
      site: { "/": "<!doctype html><title>App</title><div id=app></div><script src=/app.js></script>" },
      earns: 0,
      facts: { pages: 1, substantive: 0, single_page: true },
      findings: [{ says: "The only page has no text", proof: "/" }]
    },
    {
      name: "a placeholder is no text",
      site: {
        "/": "<!doctype html><title>App</title><main><h1>Docs</h1><p>Loading the documentation…</p></main><noscript>You need to enable JavaScript to run this app.</noscript><script src=/app.js></script>"
      },
      earns: 0
    },
    {
      name: "a login and an error text are no text of their pages",
      site: handbook({ "/usage": login, "/limits": softError }),
      earns: 2,
      facts: { substantive: 0.6 },
      findings: [
        { says: "/usage asks for a login", good: false },
        { says: "/limits says that it does not exist", good: false }
      ]
    },
    {
      name: "links that answer 404 are dead, not empty",
      site: { "/": page("/"), "/install": page("/install") },
      earns: 7,
      facts: { pages: 2, substantive: 1 }
    },
    {
      name: "routes of a page that scripts fill in, which the server does not know",
      site: { "/": shell },
      earns: 0,
      facts: { pages: 5, substantive: 0, single_page: false },
      findings: [
        {
          says: "/limits, linked from the audited page, is a route that only scripts know",
          proof: "/limits",
          good: false
        }
      ]
    },
    {
      name: "links of llms.txt that answer 404 are dead, also where scripts fill the page in",
      site: {
        "/": shell.replace(/<nav>.*<\/nav>/, ""),
        "/a": page("/a"),
        "/llms.txt": "# Handbook\n\n## Pages\n\n- [A](/a)\n- [B](/b)\n- [C](/c)\n"
      },
      earns: 2,
      facts: { pages: 2, substantive: 0.5 }
    },
    {
      name: "of few pages those that are named and refused count",
      site: {
        "/": page("/"),
        "/install": page("/install"),
        "/usage": { status: 403 },
        "/limits": { status: 403 },
        "/support": { status: 403 }
      },
      earns: 2,
      facts: { pages: 5, substantive: 0.4 },
      findings: [{ says: "/limits, linked from the audited page, could not be fetched", proof: "/limits", good: false }]
    },
    {
      name: "of many they do not",
      site: handbook({ "/": page("/", { more: "<a href=/gone>Gone</a>" }) }),
      earns: 7,
      facts: { pages: 5 }
    },
    { name: "pages that do not answer", site: { "*": { status: 429 } }, earns: "inconclusive" }
  ],
  ordeals: {
    // One endless text at every address: it is text, and sent as such.
    "huge bodies": 7
  }
})
