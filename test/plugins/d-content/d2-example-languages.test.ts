import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d2ExampleLanguages } from "../../../plugins/d-content/d2-example-languages.ts"
import { code, manual, plain } from "./Manual.ts"

const PYTHON = code("orders.list()", "python")
const SHELL = code("orders list", "sh")
const page = (body: string) => ({ title: "Orders", body })

const START = `<!doctype html><html lang="en"><head><title>Orders API reference</title></head><body><main><h1>Orders API reference</h1><p>All operations of the orders service are on this page, and its examples are here as well, for those who want to read <a href="/reference/">the reference</a>.</p>${PYTHON}${SHELL}</main></body></html>`

testCriterion(d2ExampleLanguages, {
  cases: [
    {
      name: "two on every page with code",
      site: manual({ ...plain, "/a": page(PYTHON + SHELL) }),
      earns: 1,
      facts: { pages_with_code: 1, multilingual: 1, languages: 2 },
      findings: [{ says: "Python and shell", proof: "/a" }]
    },
    {
      name: "languages by the names that they have",
      site: manual({
        ...plain,
        "/a": page(["awk", "cobol", "coffee", "gdscript"].map((tag) => code("run", tag)).join(""))
      }),
      earns: 1,
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
      earns: 1,
      facts: { pages_with_code: 5, multilingual: 1, languages: 2 }
    },
    {
      name: "on the start page, whose bytes another URL has too",
      site: {
        "/": START,
        "/reference/": START
      },
      earns: 1,
      facts: { pages_with_code: 1, multilingual: 1, languages: 2 }
    },
    {
      name: "on one page of four",
      site: manual({ "/a": page(PYTHON + SHELL), "/b": page(PYTHON), "/c": page(PYTHON), "/d": page(PYTHON) }),
      earns: "partial",
      facts: { multilingual: 0.25 }
    },
    {
      name: "aliases are one language",
      site: manual({ ...plain, "/a": page(code("ls", "bash") + code("ls", "console") + code("ls", "sh")) }),
      earns: "partial",
      facts: { languages: 1 }
    },
    {
      name: "an untagged command line is shell",
      site: manual({ ...plain, "/a": page(code("$ orders list") + PYTHON) }),
      earns: 1
    },
    {
      name: "an untagged PHP file is PHP, and no markup",
      site: manual({ ...plain, "/a": page(code("<?php\n$order = new Order();") + SHELL) }),
      earns: 1,
      findings: [{ says: "PHP and shell", proof: "/a" }]
    },
    {
      name: "blocks of data are said to be no example in a programming language",
      site: manual({ ...plain, "/a": page(code('{"id": 1}', "json")) }),
      earns: 0,
      findings: [
        {
          says: "We read 6 pages, and none of them shows code that counts: data, output and commands that set up a machine do not."
        }
      ]
    },
    {
      name: "code without a language is code",
      site: manual({ ...plain, "/a": page(PYTHON), "/b": page(code("orders.list()")) }),
      earns: "partial",
      facts: { pages_with_code: 2, languages: 1 }
    },
    {
      name: "the product's own package says its language",
      site: manual(
        { ...plain, "/a": page(code("npm install @orders/client", "bash") + code("gem install orders", "bash")) },
        {}
      ),
      earns: 1,
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
      earns: "partial",
      facts: { pages_with_code: 1, languages: 1 }
    },
    {
      name: "a raw HTTP request is no language",
      site: manual({
        ...plain,
        "/a": page(PYTHON + code("GET /orders HTTP/1.1\nHost: api.orders.test", "http")),
        "/b": page(code("GET /orders HTTP/1.1", "http--1"))
      }),
      earns: "partial",
      facts: { pages_with_code: 1, languages: 1 }
    },
    {
      name: "tabs of one language that a second name tells apart are one language",
      site: manual({
        ...plain,
        "/a": page(code("orders.list()", "javascript--nodejs") + code("orders.list()", "javascript--browser"))
      }),
      earns: "partial",
      facts: { languages: 1 }
    },
    {
      name: "an installer is none",
      site: manual({ ...plain, "/a": page(code("curl https://example.com/install.sh | sh", "bash")) }),
      earns: 0
    },
    {
      name: "commands and statements that set a machine up are none",
      site: manual({
        ...plain,
        "/a": page(
          code("sudo apt install postgresql\nsudo systemctl start postgresql", "bash") +
            code("CREATE DATABASE orders;\nGRANT ALL ON DATABASE orders\n  TO orders;", "sql") +
            code("npm install left-pad", "bash")
        )
      }),
      earns: 0,
      facts: { pages_with_code: 0 },
      findings: [
        {
          says: "We read 6 pages, and none of them shows code that counts: data, output and commands that set up a machine do not.",
          good: false
        }
      ]
    },
    {
      name: "a tab says which language a highlighter has no class for",
      site: manual({
        ...plain,
        "/a": page(
          '<ul role="tablist"><li><a role="tab" href="#one" aria-controls="one">Obj-C</a></li><li><a role="tab" href="#two" aria-controls="two">Curl</a></li></ul><div role="tabpanel" id="one">' +
            code("Orders *orders = [Orders new];", "cpp") +
            '</div><div role="tabpanel" id="two">' +
            code("curl https://api.example.com/orders", "bsh") +
            "</div>"
        )
      }),
      earns: 1,
      findings: [{ says: "Objective-C and shell" }]
    },
    {
      name: "URLs and values without a language are no code",
      site: manual({
        ...plain,
        "/a": page(code("https://api.example.com") + code("2022-05-09T20:34:01.009210Z"))
      }),
      earns: 0,
      facts: { pages_with_code: 0 }
    },
    {
      name: "JSON behind the head of its response, or without its brackets, is data whatever its tag says",
      site: manual({
        ...plain,
        "/a": page(
          code('Link: <https://example.com/?page=2>; rel="next"\n\n[{ "id": 1 }]', "javascript") +
            code('"publicKey": {\n  "id": "main"\n}', "javascript")
        )
      }),
      earns: 0,
      facts: { pages_with_code: 0 }
    },
    {
      name: "a query is code, and so is a command after those that set a machine up",
      site: manual({
        ...plain,
        "/a": page(
          code("CREATE TABLE orders (id int);\nSELECT * FROM orders;", "sql") +
            code("sudo systemctl start orders\norders list --all", "bash")
        )
      }),
      earns: 1,
      facts: { languages: 2 }
    },
    {
      name: "a program of the product says no language",
      site: manual({ ...plain, "/a": page(code("npm install -g orders", "bash") + PYTHON) }),
      earns: "partial",
      facts: { languages: 1 }
    },
    {
      name: "languages named in prose are none",
      site: manual({ ...plain, "/a": page("<p>There are clients in Python, Ruby and Go.</p>") }),
      earns: 0
    }
  ]
})
