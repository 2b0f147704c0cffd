import { describe, expect, test } from "vitest"
import { english } from "../../../engine/text/languages/Reader.ts"
import { isRunnable } from "../../../plugins/d-content/RunnableExample.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const names = new Set(["acme", "kinocut"])
const runs = (text: string, language: string | null = null, heading = "") =>
  isRunnable(
    { text, lines: text.split("\n").length, language, label: null, section: 0 },
    { names, heading, reader: english }
  )

describe("runnable", () => {
  test.each([
    ["curl with an address", "$ curl -X POST https://api.acme.test/v1/orders -d '{}'", "shell"],
    [
      "curl over several lines",
      "curl --request GET \\\n  --url 'https://api.acme.test/v1/orders' \\\n  -H 'Accept: application/json'",
      null
    ],
    ["HTTPie", "http POST https://api.acme.test/v1/orders name=x", "shell"],
    ["curl in a block tagged as text", "curl https://api.acme.test/v1/orders", "text"],
    ["a raw request with Host", "GET /v1/orders HTTP/1.1\nHost: api.acme.test", "http"],
    ["a request line with an address", "GET https://api.acme.test/v1/orders", "http"],
    ["client code with an address", "import requests\nrequests.get('https://api.acme.test/v1/orders')", "python"],
    ["fetch", 'const answer = await fetch("https://api.acme.test/v1")', "javascript"],
    [
      "a WebSocket",
      'const socket = new WebSocket("wss://ws.acme.test/v2")\nsocket.onopen = () => socket.send(JSON.stringify({ type: "subscribe" }))',
      "javascript"
    ],
    [
      "a WebSocket in Python",
      "async with websockets.connect('ws://localhost:8765/v2') as socket:\n    await socket.send('ping')",
      "python"
    ],
    ["wscat", "$ wscat -c wss://ws.acme.test/v2 -H 'Authorization: Bearer x'", "shell"],
    ["wscat by npx", "npx wscat -c wss://ws.acme.test/v2", null],
    ["websocat", "websocat wss://ws.acme.test/v2", "bash"],
    [
      "the product's library, imported",
      "import { Acme } from 'acme'\nconst acme = new Acme()\nacme.orders.list()",
      "javascript"
    ],
    ["the product's library by its name", "{:ok, order} = Acme.Orders.get(client, 1)", "elixir"],
    ["Ruby without parentheses", "require 'acme'\nAcme.order 'x'", "ruby"],
    ["the product's program", "$ acme run --fast", null],
    ["the product's program by a short name", "kino render job.json", "shell"],
    ["a runner for the product's program", "npx acme-cli deploy .", "shell"],
    ["code below a heading Examples", "chat <- chat_openai()", "r", "Examples"]
  ] as const)("%s", (_, text, language, heading?) => expect(runs(text, language, heading)).toBe(true))
})

describe("not runnable", () => {
  test.each([
    ["an installer", "curl -fsSL https://acme.test/install.sh | sh", "shell"],
    ["a download", "curl -LO https://acme.test/releases/acme.tar.gz", "shell"],
    ["a download by wget", "wget https://acme.test/acme-1.0.zip", "shell"],
    ["cloning", "git clone https://github.com/acme/acme.git", "shell"],
    ["a package", "pip install acme", "shell"],
    ["curl without an address", "curl \"api_endpoint_here\" -H 'Authorization: x'", "shell"],
    ["curl with a relative address", "curl $BASE/v1/orders", "shell"],
    [
      "curl with an address in its data only",
      'curl -X POST $BASE/v1/orders --data \'{"url": "https://shop.test/orders.csv"}\'',
      "shell"
    ],
    ["curl with an address in a header only", 'curl $BASE/v1/orders -H "Origin: https://shop.test"', "shell"],
    [
      "HTTPie with an address in its data only",
      'http POST $BASE/v1/orders url="https://shop.test/orders.csv"',
      "shell"
    ],
    [
      "Python with an address in its data only",
      "url = api_url('/orders')\nrequests.post(url, json={\n  'url': 'https://shop.test/orders.csv',\n})",
      "python"
    ],
    [
      "JavaScript with an address in its data only",
      "await fetch(base + '/orders', { body: JSON.stringify({ url: 'https://shop.test/orders.csv' }) })",
      "javascript"
    ],
    ["wscat without an address", "wscat -c $ADDRESS", "shell"],
    ["wscat with an address in a header only", 'wscat -c $ADDRESS -H "Origin: https://shop.test"', "shell"],
    ["installing wscat", "npm install -g wscat", "shell"],
    ["the address of a WebSocket alone", "wss://ws.acme.test/v2", null],
    ["data with the address of a WebSocket", '{"url": "wss://ws.acme.test/v2"}', "json"],
    ["news over the wire", "open('news://acme.test/list')", "python"],
    ["a path alone", "GET /v1/orders", "http"],
    ["data with an address", '{"url": "https://api.acme.test/v1/orders"}', "json"],
    ["untagged data", '{ "next": "https://api.acme.test/v1/orders?page=(2)" }', null],
    ["markup", '<script src="https://api.acme.test/v1.js"></script>', "html"],
    ["an address in a comment", "x = f()  # see https://acme.test/guide", "python"],
    ["a library of others", "from fastapi import FastAPI\napp = FastAPI()", "python"],
    ["an import alone", "import acme", "python"],
    ["a signature in Elixir", "@spec get(Acme.Client.t(), String.t()) :: Acme.Client.result(map())", null],
    ["one over several lines", "@spec client(\n  String.t()\n) :: Acme.Client.t()", null],
    ["a signature in Java", "public acme.Order fetch(String id)", "java"],
    ["a signature in TypeScript", "export declare function fetch(id: string): acme.Order", "typescript"],
    ["another program", "redis-cli -p 6666", "shell"],
    ["the product's name in output", "acme: command not found", null]
  ] as const)("%s", (_, text, language) => expect(runs(text, language)).toBe(false))
})

test("a hostile block takes no time", () => {
  const started = cpuMs()
  for (const text of ["\\\n".repeat(50_000), "a.".repeat(50_000), "https://".repeat(20_000), "curl ".repeat(20_000)])
    runs(text, "python")
  expect(cpuMs() - started).toBeLessThan(1_000)
})
