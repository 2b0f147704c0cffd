import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d2ExampleLanguages } from "../../../plugins/d-content/d2-example-languages.ts"
import { code, manual, plain } from "./Manual.ts"

const PYTHON = code("orders.list()", "python")
const SHELL = code("orders list", "sh")
const page = (body: string) => ({ title: "Orders", body })

testCriterion(d2ExampleLanguages, {
  cases: [
    {
      name: "two on every page with code",
      site: manual({ ...plain, "/a": page(PYTHON + SHELL) }),
      earns: 2,
      facts: { pages_with_code: 1, multilingual: 1, languages: 2 },
      findings: [{ says: "Python and shell", proof: "/a" }]
    },
    {
      name: "languages by the names that they have",
      site: manual({
        ...plain,
        "/a": page(["awk", "cobol", "coffee", "gdscript"].map((tag) => code("run", tag)).join(""))
      }),
      earns: 2,
      findings: [{ says: "AWK, COBOL, CoffeeScript and GDScript", proof: "/a" }]
    },
    {
      name: "on reference pages beyond the sample, which has none",
      site: manual({
        ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`/guide/${10 + n}`, page("")])),
        ...Object.fromEntries(
          ["list", "create", "fetch", "change", "delete"].map((name) => [`/reference/${name}`, page(PYTHON + SHELL)])
        )
      }),
      sampleSize: 3,
      earns: 2,
      facts: { pages_with_code: 5, multilingual: 1, languages: 2 }
    },
    {
      name: "on one page of four",
      site: manual({ "/a": page(PYTHON + SHELL), "/b": page(PYTHON), "/c": page(PYTHON), "/d": page(PYTHON) }),
      earns: 1,
      facts: { multilingual: 0.25 }
    },
    {
      name: "aliases are one language",
      site: manual({ ...plain, "/a": page(code("ls", "bash") + code("ls", "console") + code("ls", "sh")) }),
      earns: 1,
      facts: { languages: 1 }
    },
    {
      name: "an untagged command line is shell",
      site: manual({ ...plain, "/a": page(code("$ orders list") + PYTHON) }),
      earns: 2
    },
    {
      name: "code without a language is code",
      site: manual({ ...plain, "/a": page(PYTHON), "/b": page(code("orders.list()")) }),
      earns: 1,
      facts: { pages_with_code: 2, languages: 1 }
    },
    {
      name: "the product's own package says its language",
      site: manual(
        { ...plain, "/a": page(code("npm install @orders/client", "bash") + code("gem install orders", "bash")) },
        {}
      ),
      earns: 2,
      facts: { languages: 2 }
    },
    {
      name: "data, markup and output are none",
      site: manual({
        ...plain,
        "/a": page(
          code("{}", "json") + code("<a/>", "xml") + code("a: 1", "yaml") + code("ok", "text") + code('{"a": 1}')
        )
      }),
      earns: 0,
      facts: { pages_with_code: 0 }
    },
    {
      name: "a response is data in whatever language its tag names",
      site: manual({ ...plain, "/a": page(PYTHON + code('{"id": 7}', "javascript")) }),
      earns: 1,
      facts: { pages_with_code: 1, languages: 1 }
    },
    {
      name: "a raw HTTP request is no language",
      site: manual({
        ...plain,
        "/a": page(PYTHON + code("GET /orders HTTP/1.1\nHost: api.orders.test", "http")),
        "/b": page(code("GET /orders HTTP/1.1", "http--1"))
      }),
      earns: 1,
      facts: { pages_with_code: 1, languages: 1 }
    },
    {
      name: "tabs of one language that a second name tells apart are one language",
      site: manual({
        ...plain,
        "/a": page(code("orders.list()", "javascript--nodejs") + code("orders.list()", "javascript--browser"))
      }),
      earns: 1,
      facts: { languages: 1 }
    },
    {
      name: "an installer is none",
      site: manual({ ...plain, "/a": page(code("curl https://example.com/install.sh | sh", "bash")) }),
      earns: 0
    },
    {
      name: "languages named in prose are none",
      site: manual({ ...plain, "/a": page("<p>There are clients in Python, Ruby and Go.</p>") }),
      earns: 0
    }
  ]
})
