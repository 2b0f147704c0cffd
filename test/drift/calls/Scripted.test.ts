import { describe, expect, it } from "vitest"
import { toldIn } from "./Told.ts"

const A = "https://api.acme.dev/orders"

describe("clients of PHP", () => {
  const told = (text: string) => toldIn("php", `<?php\n${text}`)

  it("are handles of curl, whose options are set one by one or together", () => {
    expect(
      told(
        `$ch = curl_init();\ncurl_setopt($ch, CURLOPT_URL, "${A}/$id");\ncurl_setopt($ch, CURLOPT_RETURNTRANSFER, true);\ncurl_setopt($ch, CURLOPT_POST, 1);\ncurl_setopt($ch, CURLOPT_POSTFIELDS, json_encode(['amount' => 5, 'tags' => ['a']]));\ncurl_setopt($ch, CURLOPT_HTTPHEADER, array('X-A: b', 'Authorization: Bearer ' . $key));\n$result = curl_exec($ch);`
      )
    ).toEqual([`php POST ${A}/{id} | headers {X-A: "b", Authorization: ?} | json {amount: 5, tags: ["a"]}`])
    expect(
      told(
        `$curl = curl_init();\ncurl_setopt_array($curl, [\n  CURLOPT_URL => "${A}",\n  CURLOPT_CUSTOMREQUEST => "PUT",\n  CURLOPT_POSTFIELDS => http_build_query(['a' => 'b']),\n  CURLOPT_HTTPHEADER => [\n    "X-A: b"\n  ],\n]);`
      )
    ).toEqual([`php PUT ${A} | headers {X-A: "b"} | form {a: "b"}`])
    expect(told(`$ch = curl_init('${A}');\ncurl_exec($ch);`)).toEqual([`php GET ${A}`])
  })

  it("are requests of Guzzle", () => {
    expect(
      told(
        `$client = new \\GuzzleHttp\\Client(['base_uri' => 'https://api.acme.dev', 'headers' => ['X-A' => 'b']]);\n$response = $client->request('POST', '/orders', ['json' => ['amount' => 5]]);\n$client->get("/orders/{$id}", ['query' => ['limit' => 5]]);\n$client->put('orders/1', ['form_params' => ['a' => 'b']]);`
      )
    ).toEqual([
      `php POST ${A} | headers {X-A: "b"} | json {amount: 5}`,
      `php GET ${A}/{id} | query {limit: "5"} | headers {X-A: "b"}`,
      `php PUT ${A}/1 | headers {X-A: "b"} | form {a: "b"}`
    ])
    expect(told(`$response = $client->request('DELETE', '${A}/1', [\n  'headers' => ['X-A' => 'b'],\n]);`)).toEqual([
      `php DELETE ${A}/1 | headers {X-A: "b"}`
    ])
    expect(
      told(
        `use GuzzleHttp\\Client;\nuse GuzzleHttp\\Psr7\\Request;\n$client = new Client();\n$request = new Request('POST', '${A}', ['X-A' => 'b'], '{"a": 1}');\n$client->sendAsync($request)->wait();`
      )
    ).toEqual([`php POST ${A} | headers {X-A: "b"} | json {a: 1}`])
  })

  it("are none of other libraries that have the same names", () => {
    expect(told("use Acme\\Client;\n$client = new Client($key);\n$client->get('/orders');")).toEqual([])
  })

  it("may be the language's own function for files", () => {
    expect(
      told(
        `$context = stream_context_create(['http' => ['method' => 'POST', 'header' => "X-A: b\\r\\nX-C: d", 'content' => json_encode(['a' => 1])]]);\nfile_get_contents('${A}', false, $context);\nfile_get_contents('orders.json');`
      )
    ).toEqual([`php POST ${A} | headers {X-A: "b", X-C: "d"} | json {a: 1}`])
  })

  it("may have their body in a here-document", () => {
    expect(
      told(
        `$body = <<<JSON\n{\n  "amount": 5\n}\nJSON;\nuse GuzzleHttp\\Client;\n$client = new Client();\n$client->post('${A}', ['body' => $body]);`
      )
    ).toEqual([`php POST ${A} | json {amount: 5}`])
  })

  it("leave open what is worked out, and are none in comments or of other classes", () => {
    expect(
      told(
        `use GuzzleHttp\\Client;\n$client = new Client();\n$client->post('${A}', $options);\n// $client->get('${A}');\n# $client->get('${A}');\n$this->get('/orders');\n$route->post('/orders', 'f');`
      )
    ).toEqual([`php POST ${A} | query {…} | headers {…} | body ?`])
  })
})

describe("clients of Ruby", () => {
  const told = (text: string) => toldIn("ruby", text)

  it("are requests of Net::HTTP", () => {
    expect(
      told(
        `require 'net/http'\nuri = URI("${A}")\nuri.query = URI.encode_www_form({ limit: 5 })\nreq = Net::HTTP::Post.new(uri, { 'X-C' => 'd' })\nreq["X-A"] = "b"\nreq['Authorization'] = "Bearer #{key}"\nreq.body = { amount: 5, "note" => 'a', tags: [:b] }.to_json\nres = Net::HTTP.start(uri.hostname, uri.port, use_ssl: true) do |http|\n  http.request(req)\nend`
      )
    ).toEqual([
      `ruby POST ${A} | query {limit: "5"} | headers {X-C: "d", X-A: "b", Authorization: ?} | json {amount: 5, note: "a", tags: ["b"]}`
    ])
    expect(
      told(`Net::HTTP.get(URI("${A}/#{id}"))\nNet::HTTP.post(URI('${A}'), { a: 1 }.to_json, "X-A" => "b")`)
    ).toEqual([`ruby GET ${A}/{id}`, `ruby POST ${A} | json {a: 1}`])
  })

  it("are those of HTTParty and RestClient, with brackets and without", () => {
    expect(
      told(
        `HTTParty.get("${A}", headers: { "X-A" => "b" }, query: { limit: 5 })\nHTTParty.post "${A}", body: { a: 1 }.to_json`
      )
    ).toEqual([`ruby GET ${A} | query {limit: "5"} | headers {X-A: "b"}`, `ruby POST ${A} | json {a: 1}`])
    expect(
      told(
        `RestClient.get("${A}", { params: { limit: 5 }, x_a: "b" })\nRestClient.post('${A}', { a: 1 }.to_json, { 'X-A' => 'b' })\nRestClient::Request.execute(method: :delete, url: "${A}/1", headers: { "X-A" => "b" })`
      )
    ).toEqual([
      `ruby GET ${A} | query {limit: "5"} | headers {X-A: "b"}`,
      `ruby POST ${A} | headers {X-A: "b"} | json {a: 1}`,
      `ruby DELETE ${A}/1 | headers {X-A: "b"}`
    ])
  })

  it("are connections of Faraday, and what is set in their blocks", () => {
    expect(
      told(
        `conn = Faraday.new(url: "https://api.acme.dev", headers: { "X-A" => "b" })\nconn.get("/orders", { limit: 5 })\nconn.post("/orders") do |req|\n  req.headers["X-C"] = "d"\n  req.params["dry"] = "1"\n  req.body = { a: 1 }.to_json\nend`
      )
    ).toEqual([
      `ruby GET ${A} | query {limit: "5"} | headers {X-A: "b"}`,
      `ruby POST ${A} | query {dry: "1"} | headers {X-A: "b", X-C: "d"} | json {a: 1}`
    ])
  })

  it("may have their body in a here-document", () => {
    expect(told(`body = <<~JSON\n  { "amount": 5 }\nJSON\nHTTParty.post("${A}", body: body)`)).toEqual([
      `ruby POST ${A} | json {amount: 5}`
    ])
  })

  it("are left out where the host is shown elsewhere, and in comments", () => {
    expect(
      told(
        `http = Net::HTTP.new("api.acme.dev", 443)\nNet::HTTP::Get.new("/orders")\n# HTTParty.get("${A}")\nclient.get("${A}")`
      )
    ).toEqual([])
  })
})
