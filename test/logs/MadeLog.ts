/*
 * Made-up access logs whose true figures are known: requests drawn by a seed, and how servers write them.
 */

/** A request, and who really sent it. */
export interface MadeRequest {
  readonly agent: string
  readonly userAgent: string
  readonly accept: string
  readonly address: string
  readonly time: Date
  readonly host: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly bytes: number
  readonly mediaType: string
}

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"

const compatible = (name: string, about: string): string =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name}; +${about})`

/** User agents as they are sent, with the name that a summary must give them; `browsers`, `crawlers`: counted and not named. */
export const USER_AGENTS: ReadonlyArray<readonly [agent: string, userAgent: string]> = [
  ["GPTBot", compatible("GPTBot/1.2", "https://openai.com/gptbot")],
  ["OAI-SearchBot", compatible("OAI-SearchBot/1.3", "https://openai.com/searchbot")],
  ["ChatGPT-User", compatible("ChatGPT-User/1.0", "https://openai.com/bot")],
  ["ClaudeBot", compatible("ClaudeBot/1.0", "claudebot@anthropic.com")],
  ["Claude-User", compatible("Claude-User/1.0", "Claude-User@anthropic.com")],
  ["Claude-SearchBot", compatible("Claude-SearchBot/1.0", "searchbot@anthropic.com")],
  ["Claude-Code", "Claude-User (claude-code/2.1.119; +https://support.anthropic.com/)"],
  [
    "Google-Gemini-CLI",
    "Mozilla/5.0 (compatible; Google-Gemini-CLI/1.0; +https://github.com/google-gemini/gemini-cli)"
  ],
  ["ModelContextProtocol", "ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)"],
  ["PerplexityBot", compatible("PerplexityBot/1.0", "https://perplexity.ai/perplexitybot")],
  ["Perplexity-User", compatible("Perplexity-User/1.0", "https://perplexity.ai/perplexity-user")],
  ["MistralAI-User", compatible("MistralAI-User/1.0", "https://docs.mistral.ai/robots")],
  ["CCBot", "CCBot/2.0 (https://commoncrawl.org/faq/)"],
  [
    "Bytespider",
    "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)"
  ],
  ["meta-externalagent", "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)"],
  [
    "Amazonbot",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)"
  ],
  ["AI2Bot", "Mozilla/5.0 (compatible) AI2Bot (+https://www.allenai.org/crawler)"],
  ["Ai2Bot-Dolma", "Mozilla/5.0 (compatible) Ai2Bot-Dolma (+https://www.allenai.org/crawler)"],
  ["axios", "axios/1.7.9"],
  ["node", "node"],
  ["undici", "undici"],
  ["curl", "curl/8.9.1"],
  ["python-requests", "python-requests/2.32.3"],
  ["python-httpx", "python-httpx/0.28.1"],
  ["Go-http-client", "Go-http-client/2.0"],
  ["no user agent", "-"],
  ["other scripts", "acme-docs-sync 3"],
  ["browsers", BROWSER],
  [
    "browsers",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
  ],
  ["browsers", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0"],
  ["crawlers", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
  ["crawlers", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"],
  ["crawlers", "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)"],
  ["docgauge", "docgauge/0.1.0 (+https://docgauge.example/bot)"]
]

/** A request with what matters of it; the rest is alike in all. */
export const madeRequest = (agent: string, path: string, more: Partial<MadeRequest> = {}): MadeRequest => ({
  agent,
  userAgent: USER_AGENTS.find(([name]) => name === agent)?.[1] ?? "",
  accept: "*/*",
  address: "198.51.100.7",
  time: new Date("2026-11-01T00:00:00Z"),
  host: "docs.example.com",
  path,
  query: "",
  status: 200,
  bytes: 4_000,
  mediaType: "text/html",
  ...more
})

/** Numbers from 0 to 1 that a seed fixes. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const BEGIN = Date.UTC(2026, 10, 1)

/** Requests in order of time, `second` seconds apart. */
export function* madeRequests(count: number, seed: number, pages = 200): Generator<MadeRequest> {
  const random = randomFrom(seed)
  const pick = <A>(list: readonly [A, ...ReadonlyArray<A>]): A => list[Math.floor(random() * list.length)] ?? list[0]
  for (let number = 0; number < count; number++) {
    const [agent, userAgent] = pick([["browsers", BROWSER], ...USER_AGENTS])
    const page = `/docs/page-${Math.floor(random() * pages)}`
    const kind = random()
    const [path, status, mediaType] =
      kind < 0.6
        ? [page, 200, "text/html"]
        : kind < 0.75
          ? [`${page}.md`, 200, "text/markdown"]
          : kind < 0.8
            ? ["/llms.txt", 200, "text/plain"]
            : kind < 0.9
              ? [`/old/${page.slice(6)}`, 404, "text/html"]
              : kind < 0.95
                ? ["/assets/app.js", 200, "text/javascript"]
                : ["/guide", 301, "text/html"]
    yield {
      agent,
      userAgent,
      accept: "*/*",
      address: `198.51.100.${Math.floor(random() * 254)}`,
      time: new Date(BEGIN + number * 1_000),
      host: "docs.example.com",
      path,
      query: random() < 0.1 ? "?q=secret" : "",
      status,
      bytes: 500 + Math.floor(random() * 20_000),
      mediaType
    }
  }
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")
const two = (number: number): string => String(number).padStart(2, "0")

const clf = (time: Date): string =>
  `${two(time.getUTCDate())}/${MONTHS[time.getUTCMonth()]}/${time.getUTCFullYear()}:${time.toISOString().slice(11, 19)} +0000`

const common = ({ address, bytes, path, query, status, time }: MadeRequest): string =>
  `${address} - - [${clf(time)}] "GET ${path}${query} HTTP/1.1" ${status} ${bytes}`

const combined = (request: MadeRequest): string => `${common(request)} "-" "${request.userAgent}"`

const seconds = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

/** How each server or service writes a request. A format's first line may be a header. */
export const WRITERS = {
  combined: { header: "", line: combined },
  "combined with a host before": {
    header: "",
    line: (request: MadeRequest) => `${request.host}:443 ${combined(request)}`
  },
  "combined with media type and Accept behind": {
    header: "",
    line: (request: MadeRequest) =>
      `${combined(request)} 0.012 "${request.mediaType}; charset=utf-8" "${request.accept}" "-"`
  },
  "combined as a message of syslog": {
    header: "",
    line: (request: MadeRequest) => `<134>${seconds(request.time)} cache-fra1234 docs[212]: ${combined(request)}`
  },
  CloudFront: {
    header:
      "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end\n",
    line: ({ address, bytes, host, mediaType, path, query, status, time, userAgent }: MadeRequest) =>
      [
        time.toISOString().slice(0, 10),
        time.toISOString().slice(11, 19),
        "FRA56-P1",
        bytes,
        address,
        "GET",
        "d111111abcdef8.cloudfront.net",
        path,
        status,
        "-",
        userAgent === "-" ? "-" : encodeURI(userAgent).replaceAll("%20", "%2520"),
        query === "" ? "-" : query.slice(1),
        "-",
        "Hit",
        "id==",
        host,
        "https",
        23,
        "0.001",
        "-",
        "TLSv1.3",
        "TLS_AES_128_GCM_SHA256",
        "Hit",
        "HTTP/2.0",
        "-",
        "-",
        11040,
        "0.001",
        "Hit",
        mediaType,
        bytes,
        "-",
        "-"
      ].join("\t")
  },
  W3C: {
    header: "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status sc-bytes\n",
    line: ({ address, bytes, path, query, status, time, userAgent }: MadeRequest) =>
      `${time.toISOString().slice(0, 10)} ${time.toISOString().slice(11, 19)} 10.0.0.1 GET ${path} ${query === "" ? "-" : query.slice(1)} ${address} ${userAgent.replaceAll(" ", "+")} ${status} ${bytes}`
  },
  Cloudflare: {
    header: "",
    line: ({ address, bytes, host, mediaType, path, query, status, time, userAgent }: MadeRequest) =>
      JSON.stringify({
        ClientIP: address,
        ClientRequestHost: host,
        ClientRequestMethod: "GET",
        ClientRequestURI: `${path}${query}`,
        ClientRequestUserAgent: userAgent,
        EdgeEndTimestamp: time.getTime() * 1e6,
        EdgeResponseBytes: bytes,
        EdgeResponseContentType: mediaType,
        EdgeResponseStatus: status,
        EdgeStartTimestamp: time.getTime() * 1e6,
        RayID: "3a6050bcbe121a87"
      })
  },
  Fastly: {
    header: "",
    line: ({ address, bytes, host, path, query, status, time, userAgent }: MadeRequest) =>
      JSON.stringify({
        timestamp: seconds(time),
        client_ip: address,
        geo_country: "germany",
        host,
        url: `${path}${query}`,
        request_method: "GET",
        request_protocol: "HTTP/2",
        request_referer: "",
        request_user_agent: userAgent,
        response_state: "HIT",
        response_status: status,
        response_body_size: bytes,
        fastly_server: "cache-fra1234"
      })
  },
  Caddy: {
    header: "",
    line: ({ accept, address, bytes, host, mediaType, path, query, status, time, userAgent }: MadeRequest) =>
      JSON.stringify({
        level: "info",
        ts: time.getTime() / 1_000,
        logger: "http.log.access.log0",
        msg: "handled request",
        request: {
          remote_ip: address,
          remote_port: "52000",
          client_ip: address,
          proto: "HTTP/2.0",
          method: "GET",
          host,
          uri: `${path}${query}`,
          headers: { "User-Agent": [userAgent], Accept: [accept] }
        },
        bytes_read: 0,
        duration: 0.001,
        size: bytes,
        status,
        resp_headers: { "Content-Type": [`${mediaType}; charset=utf-8`] }
      })
  },
  Vercel: {
    header: "",
    line: ({ address, bytes, host, path, query, status, time, userAgent }: MadeRequest) =>
      JSON.stringify({
        id: `${time.getTime()}`,
        deploymentId: "dpl_1",
        source: "static",
        host: "docs-1.vercel.app",
        timestamp: time.getTime(),
        requestId: `fra1-${time.getTime()}`,
        statusCode: status,
        proxy: {
          timestamp: time.getTime(),
          method: "GET",
          host,
          path: `${path}${query}`,
          userAgent: [userAgent],
          clientIp: address,
          statusCode: status,
          responseByteSize: bytes
        }
      })
  },
  Netlify: {
    header: "",
    line: ({ address, host, path, query, status, time, userAgent }: MadeRequest) =>
      JSON.stringify({
        log_type: "traffic",
        timestamp: time.toISOString(),
        client_ip: address,
        method: "GET",
        url: `https://${host}${path}${query}`,
        status_code: status,
        user_agent: userAgent,
        duration: 12
      })
  },
  "nginx in JSON": {
    header: "",
    line: ({ accept, address, bytes, host, mediaType, path, query, status, time, userAgent }: MadeRequest) =>
      JSON.stringify({
        time_iso8601: seconds(time).replace("Z", "+00:00"),
        remote_addr: address,
        http_host: host,
        request: `GET ${path}${query} HTTP/1.1`,
        status: String(status),
        body_bytes_sent: String(bytes),
        http_user_agent: userAgent,
        http_accept: accept,
        sent_http_content_type: mediaType
      })
  },
  common: { header: "", line: common }
} as const

export type MadeFormat = keyof typeof WRITERS

export const isMadeFormat = (name: string): name is MadeFormat => Object.hasOwn(WRITERS, name)

/** Requests as a log of this format. */
export const madeLog = (format: MadeFormat, requests: Iterable<MadeRequest>): string =>
  WRITERS[format].header + [...requests].map((request) => `${WRITERS[format].line(request)}\n`).join("")
