import { describe, expect, test } from "vitest"
import { onSite } from "../../../engine/evidence/Address.ts"
import { english, readerIn } from "../../../engine/text/languages/Vocabulary.ts"
import { addressVariables, isRunnable } from "../../../plugins/d-content/RunnableExample.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const names = new Set(["acme", "kinocut"])
const runs = (
  text: string,
  language: string | null = null,
  heading = "",
  around = heading,
  reader = english,
  before = ""
) =>
  isRunnable(
    { text, lines: text.split("\n").length, language, label: null, section: 0, line: null, lineByLine: false },
    {
      names,
      heading,
      around: () => around,
      isOwn: (url) => onSite(url, "acme.test"),
      reader,
      variables: addressVariables([{ text: before }, { text }])
    }
  )

describe("a variable that another block of the page sets to a URL", () => {
  const runsAfter = (before: string, text: string) => runs(text, "shell", "", "", english, before)
  test.each([
    ["curl", "export API=https://api.acme.test/v1", 'curl -X POST $API/orders/ -d "{}"'],
    ["curl with braces", "API='https://api.acme.test/v1'", 'curl "${API}/orders"'],
    ["HTTPie", '$ export API="https://api.acme.test/v1/"', "$ http $API'orders/?page_size=1'"],
    ["a file of requests", "@host = https://api.acme.test/v1", "GET {{host}}/orders"]
  ])("is the URL that %s calls", (_, before, text) => {
    expect(runsAfter(before, text)).toBe(true)
  })

  test.each([
    ["another variable", "export API=https://api.acme.test/v1", "curl $ROOT/orders"],
    ["a variable that is set to a path", "export API=/v1", "curl $API/orders"],
    ["a variable in what is sent", "export PAGE=https://acme.test/hook", "curl $ROOT/hooks -d url=$PAGE"]
  ])("leaves %s a fragment", (_, before, text) => {
    expect(runsAfter(before, text)).toBe(false)
  })
})

describe("an address without a scheme", () => {
  test.each([
    ["a port of this machine", "curl localhost:5000/v1/orders"],
    ["a path of this machine", "$ curl localhost/v1/orders"],
    ["an IP address", "curl 203.0.113.4:8080/orders"],
    ["a host with a path", "curl -H 'X-API-Key: x' api.acme.test/v1/orders"],
    ["a port in HTTPie", "http POST :5000/orders name=x"]
  ])("can be called by a command: %s", (_, text) => {
    expect(runs(text, "shell")).toBe(true)
  })

  test.each([
    ["only tells whether a server is there", "wget -S --spider localhost"],
    ["is a file", "curl --cacert certs.pem $ROOT/orders"],
    ["is a repository", "wget github.com/acme/orders/archive/main"]
  ])("is no call where it %s", (_, text) => {
    expect(runs(text, "shell")).toBe(false)
  })
})

describe("runnable", () => {
  test.each([
    ["curl with an address", "$ curl -X POST https://api.acme.test/v1/orders -d '{}'", "shell"],
    [
      "curl over several lines",
      "curl --request GET \\\n  --url 'https://api.acme.test/v1/orders' \\\n  -H 'Accept: application/json'",
      null
    ],
    ["curl after the prompt of root", "# curl https://api.acme.test/v1/orders", "shell"],
    ["curl without a scheme", 'curl -d "an order" acme.test/orders', null],
    ["curl to a port of one's own machine", "curl localhost:8080/orders", "shell"],
    ["curl with an address in a variable", 'BASE="https://api.acme.test/v1"\ncurl "$BASE/orders"', "shell"],
    ["PowerShell", '$answer = Invoke-RestMethod -Uri "https://api.acme.test/v1/orders"', null],
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
    ["code below a heading Examples", "chat <- chat_openai()", "r", "Examples"],
    ["a host with a tenant in braces", "curl https://{tenant}.acme.test/v1/orders -H 'Accept: */*'", "shell"],
    ["a host with a tenant in angle brackets", "curl https://<your-shop>.acme.test/v1/orders", "shell"],
    ["a host with a variable in braces", 'curl "https://${TENANT}.acme.test/v1/orders"', "shell"],
    ["a host with a variable", 'curl "https://$TENANT.acme.test:$PORT/v1/orders"', "shell"],
    ["a host that is a template's", "requests.get('https://{{host}}:{{port}}/v1/orders')", "python"],
    [
      "untagged code that adds a path to an address",
      "import requests\n\nROOT = 'https://api.acme.test'\npage = ROOT + '/v1/orders'\nanswer = requests.get(page)",
      null
    ],
    [
      "untagged code that gives its client an address over several lines",
      "const client = new Client({\n  retries: 3,\n  baseUrl: 'https://api.acme.test'\n})\nclient.orders()",
      null
    ],
    [
      "untagged code that fills in options first",
      "const options = {\n  url: 'https://api.acme.test/v1/orders'\n};\naxios.request(options)",
      null
    ],
    ["untagged PHP", "$url = 'https://api.acme.test/v1/orders';\n$call = curl_init($url);", null],
    ["untagged Go", 'root := "https://api.acme.test"\nresp, err := http.Get(root + "/v1/orders")', null],
    ["a raw request to a server of the reader's own", "POST /api/events HTTP/1.1\nHost: localhost:8080", "http"]
  ] as const)("%s", (_, text, language, heading?) => expect(runs(text, language, heading)).toBe(true))
})

describe("not runnable", () => {
  test.each([
    ["an installer", "curl -fsSL https://acme.test/install.sh | sh", "shell"],
    ["a download", "curl -LO https://acme.test/releases/acme.tar.gz", "shell"],
    ["a download by wget", "wget https://acme.test/acme-1.0.zip", "shell"],
    ["a download by PowerShell", "Invoke-WebRequest https://acme.test/acme -OutFile acme.zip", "powershell"],
    ["the address of a release", "curl -s https://api.github.com/repos/acme/acme/releases/latest", "shell"],
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
    ["a request line with dots for a host", "GET https://....(the link that the list gives)", null],
    ["a comment that speaks of curl", "# curl is needed for this", "shell"],
    ["a comment with curl in another language", "# curl https://api.acme.test/v1/orders", "python"],
    ["curl with a file and no address", "curl -T orders.d/new.json $BASE/orders", "shell"],
    [
      "curl with another variable than the address is in",
      'BASE="https://api.acme.test/v1"\ncurl "$OTHER/orders"',
      "shell"
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
    ["the product's name in output", "acme: command not found", null],
    ["a variable as the whole address", "curl $BASE/v1/orders", "shell"],
    ["untagged output with an address and brackets", "Listening on http://localhost:8080 (press Ctrl+C to quit)", null],
    ["untagged settings", 'root = "https://api.acme.test"\nname = "orders (test)"', null],
    [
      "untagged code that keeps an address and calls something else",
      "HOMEPAGE = 'https://acme.test'\nprint(len(orders))",
      null
    ]
  ] as const)("%s", (_, text, language) => expect(runs(text, language)).toBe(false))
})

describe("a raw request to the reader's server", () => {
  const EVENT = "POST /hook HTTP/1.1\nHost: 127.0.0.1:8080\n\n{}"

  test.each([
    ["below a heading on webhooks", EVENT, "Webhooks", english],
    ["below a text on events in another language", EVENT, "Уведомления о событиях", readerIn("ru")],
    ["with a whole address", "POST https://your-server.test/hook\nContent-Type: application/json", "Events", english]
  ])("is no call of the API %s", (_, text, around, reader) =>
    expect(runs(text, "http", "", around, reader)).toBe(false)
  )

  test.each([
    ["on another subject", EVENT, "Run it on your own machine"],
    ["to the site's own host", "POST /hook HTTP/1.1\nHost: api.acme.test", "Webhooks"],
    ["with credentials", "POST /hooks HTTP/1.1\nHost: 127.0.0.1:8080\nAuthorization: Bearer x", "Webhooks"],
    ["that reads events", "GET /events HTTP/1.1\nHost: 127.0.0.1:8080", "Events"]
  ])("is one %s", (_, text, around) => expect(runs(text, "http", "", around)).toBe(true))
})

test("a hostile block takes no time", () => {
  const started = cpuMs()
  for (const text of [
    "\\\n".repeat(50_000),
    "a.".repeat(50_000),
    "https://".repeat(20_000),
    "curl ".repeat(20_000),
    "https://{".repeat(9_000),
    "a = ('".repeat(9_000)
  ])
    for (const language of ["python", null]) runs(text, language)
  expect(cpuMs() - started).toBeLessThan(1_000)
})
