import type { SentBody, SentField, SentFields, SentValue, ShownCall } from "../../../engine/drift/ShownCall.ts"
import type { CallBlock } from "../../../engine/drift/calls/CallsIn.ts"

/** A call as each client is usually written, in the simplest form that says all of it. */

const textOf = (value: SentValue): string => (value._tag === "Known" ? String(value.value) : "")

export const jsonOf = (value: SentValue): unknown => {
  switch (value._tag) {
    case "Known":
      return value.value
    case "List":
      return value.items.map(jsonOf)
    case "Object":
      return Object.fromEntries(value.sent.fields.map(({ name, value: member }) => [name, jsonOf(member)]))
    case "Open":
      return undefined
  }
}

const pairs = ({ fields }: SentFields): string =>
  fields.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`).join("&")

const url = ({ address, query }: ShownCall): string =>
  query.fields.length === 0 ? address : `${address}?${pairs(query)}`

/** The body as text, as it is sent. */
const bodyText = (body: SentBody): string | null => {
  if (body._tag === "Json") return JSON.stringify(jsonOf(body.value))
  return body._tag === "Form" ? pairs(body.sent) : null
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A text with the escapes of C, which most languages share. */
const quoted = (text: string): string => JSON.stringify(text)

const lines = (...parts: ReadonlyArray<string | ReadonlyArray<string> | null>): string =>
  parts
    .flat()
    .filter((part) => part !== null)
    .join("\n")

const headers = (call: ShownCall, print: (name: string, value: string) => string): ReadonlyArray<string> =>
  call.headers.fields.map(({ name, value }) => print(name, textOf(value)))

const curl = (call: ShownCall): string => {
  const body = bodyText(call.body)
  return [
    `curl -X ${call.method} ${shellQuoted(url(call))}`,
    ...headers(call, (name, value) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellQuoted(body)}`])
  ].join(" \\\n  ")
}

const httpie = (call: ShownCall): string => {
  const { body } = call
  const items = [
    ...call.query.fields.map(({ name, value }) => `${name}==${textOf(value)}`),
    ...headers(call, (name, value) => `${name}:${value}`),
    ...(body._tag === "Form" ? body.sent.fields.map(({ name, value }) => `${name}=${textOf(value)}`) : []),
    ...(body._tag === "Json" && body.value._tag === "Object"
      ? body.value.sent.fields.map(({ name, value }) => `${name}:=${JSON.stringify(jsonOf(value))}`)
      : [])
  ]
  const form = body._tag === "Form" ? " --form" : ""
  return `http${form} ${call.method} ${call.address} ${items.map(shellQuoted).join(" ")}`
}

const wget = (call: ShownCall): string => {
  const body = bodyText(call.body)
  return [
    `wget --quiet --method=${call.method}`,
    ...headers(call, (name, value) => `--header=${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--body-data=${shellQuoted(body)}`]),
    `-O - ${shellQuoted(url(call))}`
  ].join(" \\\n  ")
}

const raw = (call: ShownCall): string => {
  const [, host = "", path = ""] = /^https:\/\/([^/]+)(.*)$/.exec(url(call)) ?? []
  return lines(
    `${call.method} ${path === "" ? "/" : path} HTTP/1.1`,
    `Host: ${host}`,
    headers(call, (name, value) => `${name}: ${value}`),
    "",
    bodyText(call.body)
  )
}

const dictOf = (fields: ReadonlyArray<SentField>, sign: string, print: (value: SentValue) => string): string =>
  fields.map(({ name, value }) => `${quoted(name)}${sign} ${print(value)}`).join(", ")

const asText = (value: SentValue): string => quoted(textOf(value))

/** A value as a literal of a language. */
const literal =
  (
    words: { readonly null: string; readonly true: string; readonly false: string },
    open: string,
    sign: string,
    close: string
  ) =>
  (value: SentValue): string => {
    const print = literal(words, open, sign, close)
    if (value._tag === "List") return `[${value.items.map(print).join(", ")}]`
    if (value._tag === "Object") return `${open}${dictOf(value.sent.fields, sign, print)}${close}`
    const known = value._tag === "Known" ? value.value : null
    if (known === null) return words.null
    if (typeof known === "boolean") return known ? words.true : words.false
    return typeof known === "string" ? quoted(known) : String(known)
  }

const inJavaScript = literal({ null: "null", true: "true", false: "false" }, "{ ", ":", " }")
const inPython = literal({ null: "None", true: "True", false: "False" }, "{", ":", "}")
const inRuby = literal({ null: "nil", true: "true", false: "false" }, "{ ", " =>", " }")

/** Text in `${}` of a template: the placeholder's name. */
const template = (text: string): string => `\`${text.replaceAll("{", "${")}\``

const fetched = (call: ShownCall): string => {
  const { body } = call
  return lines(
    `const response = await fetch(${template(url(call))}, {`,
    `  method: ${quoted(call.method)},`,
    `  headers: { ${dictOf(call.headers.fields, ":", asText)} },`,
    body._tag === "Json" ? `  body: JSON.stringify(${inJavaScript(body.value)})` : null,
    body._tag === "Form" ? `  body: new URLSearchParams({ ${dictOf(body.sent.fields, ":", asText)} })` : null,
    "})",
    "console.log(await response.json())"
  )
}

const axios = (call: ShownCall): string => {
  const { body } = call
  return lines(
    "const { data } = await axios({",
    `  method: ${quoted(call.method.toLowerCase())},`,
    `  url: ${template(call.address)},`,
    `  params: { ${dictOf(call.query.fields, ":", asText)} },`,
    `  headers: { ${dictOf(call.headers.fields, ":", asText)} },`,
    body._tag === "Json" ? `  data: ${inJavaScript(body.value)}` : null,
    body._tag === "Form" ? `  data: new URLSearchParams({ ${dictOf(body.sent.fields, ":", asText)} })` : null,
    "})"
  )
}

const python =
  (library: string) =>
  (call: ShownCall): string => {
    const { body } = call
    const given = [
      `f${quoted(call.address)}`,
      `params={${dictOf(call.query.fields, ":", asText)}}`,
      `headers={${dictOf(call.headers.fields, ":", asText)}}`,
      ...(body._tag === "Json" ? [`json=${inPython(body.value)}`] : []),
      ...(body._tag === "Form" ? [`data={${dictOf(body.sent.fields, ":", asText)}}`] : [])
    ]
    return lines(
      `import ${library}`,
      "",
      `response = ${library}.request(`,
      `    ${quoted(call.method)},`,
      `    ${given.join(",\n    ")},`,
      ")",
      "print(response.json())"
    )
  }

const go = (call: ShownCall): string => {
  const body = bodyText(call.body)
  const format = url(call)
    .replaceAll("%", "%%")
    .replace(/\{\w+\}/g, "%s")
  const names = (url(call).match(/\{\w+\}/g) ?? []).map((name) => `, ${name.slice(1, -1)}`)
  return lines(
    "package main",
    "func main() {",
    `\treq, err := http.NewRequest(${quoted(call.method)}, fmt.Sprintf(${quoted(format)}${names.join("")}), ${
      body === null ? "nil" : `strings.NewReader(${quoted(body)})`
    })`,
    "\tif err != nil { panic(err) }",
    headers(call, (name, value) => `\treq.Header.Set(${quoted(name)}, ${quoted(value)})`),
    "\tres, err := http.DefaultClient.Do(req)",
    "}"
  )
}

/** A text with names in place of placeholders, joined by `+`. */
const joinedBy =
  (operator: string, sigil = "") =>
  (text: string): string =>
    text
      .split(/(\{\w+\})/)
      .filter((part) => part !== "")
      .map((part) => (/^\{\w+\}$/.test(part) ? `${sigil}${part.slice(1, -1)}` : quoted(part)))
      .join(` ${operator} `)

const java = (call: ShownCall): string => {
  const body = bodyText(call.body)
  return lines(
    "HttpRequest request = HttpRequest.newBuilder()",
    `    .uri(URI.create(${joinedBy("+")(url(call))}))`,
    headers(call, (name, value) => `    .header(${quoted(name)}, ${quoted(value)})`),
    `    .method(${quoted(call.method)}, HttpRequest.BodyPublishers.${body === null ? "noBody()" : `ofString(${quoted(body)})`})`,
    "    .build();",
    "HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());"
  )
}

const phpText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`

const inPhp = (value: SentValue): string => {
  if (value._tag === "List") return `[${value.items.map(inPhp).join(", ")}]`
  if (value._tag === "Object")
    return `[${value.sent.fields.map(({ name, value: member }) => `${phpText(name)} => ${inPhp(member)}`).join(", ")}]`
  const known = value._tag === "Known" ? value.value : null
  return typeof known === "string" ? phpText(known) : String(known)
}

const phpAddress = (text: string): string =>
  text
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => (/^\{\w+\}$/.test(part) ? `$${part.slice(1, -1)}` : phpText(part)))
    .join(" . ")

const php = (call: ShownCall): string => {
  const { body } = call
  return lines(
    "<?php",
    "$client = new \\GuzzleHttp\\Client();",
    `$response = $client->request('${call.method}', ${phpAddress(url(call))}, [`,
    `  'headers' => [${call.headers.fields.map(({ name, value }) => `${phpText(name)} => ${phpText(textOf(value))}`).join(", ")}],`,
    body._tag === "Json" ? `  'json' => ${inPhp(body.value)},` : null,
    body._tag === "Form" ? `  'form_params' => ${inPhp({ _tag: "Object", sent: body.sent })},` : null,
    "]);",
    "echo $response->getBody();"
  )
}

const rubyText = (text: string): string => quoted(text).replaceAll("#", "\\#")

const ruby = (call: ShownCall): string => {
  const { body } = call
  const name = `${call.method.charAt(0)}${call.method.slice(1).toLowerCase()}`
  return lines(
    'require "net/http"',
    `uri = URI("${url(call).replaceAll("{", "#{")}")`,
    `request = Net::HTTP::${name}.new(uri)`,
    headers(call, (header, value) => `request[${quoted(header)}] = ${rubyText(value)}`),
    body._tag === "Json" ? `request.body = ${inRuby(body.value)}.to_json` : null,
    body._tag === "Form" ? `request.set_form_data({ ${dictOf(body.sent.fields, " =>", asText)} })` : null,
    "response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: true) { |http| http.request(request) }"
  )
}

const csharp = (call: ShownCall): string => {
  const { body } = call
  const text = bodyText(body)
  const name = `${call.method.charAt(0)}${call.method.slice(1).toLowerCase()}`
  const form = body._tag === "Form" ? body.sent.fields : []
  return lines(
    "using var client = new HttpClient();",
    `var request = new HttpRequestMessage(HttpMethod.${name}, $${quoted(url(call))});`,
    headers(call, (header, value) => `request.Headers.Add(${quoted(header)}, ${quoted(value)});`),
    body._tag === "Json" ? `request.Content = new StringContent(${quoted(text ?? "")}, Encoding.UTF8);` : null,
    body._tag === "Form"
      ? `request.Content = new FormUrlEncodedContent(new Dictionary<string, string> { ${form
          .map((field) => `{ ${quoted(field.name)}, ${asText(field.value)} }`)
          .join(", ")} });`
      : null,
    "var response = await client.SendAsync(request);"
  )
}

interface Printer {
  readonly client: ShownCall["client"]
  readonly language: string
  readonly print: (call: ShownCall) => string
}

export const PRINTERS: ReadonlyArray<Printer> = [
  { client: "curl", language: "shell", print: curl },
  { client: "httpie", language: "shell", print: httpie },
  { client: "wget", language: "shell", print: wget },
  { client: "http", language: "http", print: raw },
  { client: "fetch", language: "javascript", print: fetched },
  { client: "axios", language: "typescript", print: axios },
  { client: "requests", language: "python", print: python("requests") },
  { client: "httpx", language: "python", print: python("httpx") },
  { client: "go", language: "go", print: go },
  { client: "java", language: "java", print: java },
  { client: "php", language: "php", print: php },
  { client: "ruby", language: "ruby", print: ruby },
  { client: "csharp", language: "csharp", print: csharp }
]

/** A call as a block of code, with or without its tag. */
export const blockOf = ({ language, print }: Printer, call: ShownCall, isTagged: boolean): CallBlock => ({
  text: print(call),
  language: isTagged ? language : null
})
