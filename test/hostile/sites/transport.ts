import { randomBytes } from "node:crypto"
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import type { RequestListener, ServerResponse } from "node:http"
import { behindFirstPage, type HostileSites, MB, page, pages, pathOf, PROSE, send, withHeader } from "../HostileSite.ts"

/** The same bytes for every request, made when first asked for. */
const once = (make: () => Uint8Array): (() => Uint8Array) => {
  let made: Uint8Array | null = null
  return () => (made ??= make())
}

const coded = (coding: string, make: () => Uint8Array): RequestListener => {
  const body = once(make)
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": coding })
    response.end(body())
  }
}

/** Three times what is read of any body; more would keep the server of the other sites busy. */
const bomb = (): Buffer => Buffer.alloc(64 * MB, "<p>a</p>")

/** Sends a piece every so often until the client goes. */
const dripping =
  (piece: string, milliseconds: number, begin: (response: ServerResponse) => void): RequestListener =>
  (request, response) => {
    begin(response)
    const timer = setInterval(() => response.write(piece), milliseconds)
    request.on("close", () => clearInterval(timer))
    response.on("close", () => clearInterval(timer))
  }

const html = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/html" })
  response.write(page("Slow"))
}

const raw =
  (text: string | Uint8Array, end = true): RequestListener =>
  ({ socket }) => {
    if (end) socket.end(text)
    else socket.write(text)
  }

const CHUNKED = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n"

/** Answers with `head`, and then with `piece` again and again, as the socket drains. */
const flood =
  (head: string, piece: string): RequestListener =>
  ({ socket }) => {
    socket.write(head)
    const more = (): void => {
      while (socket.writable && socket.write(piece));
    }
    socket.on("drain", more)
    more()
  }

const charset =
  (name: string, body: () => Uint8Array): RequestListener =>
  (request, response) =>
    send(response, pathOf(request) === "/robots.txt" ? "" : body(), `text/html; charset=${name}`)

/** Encodings, headers, charsets, redirects and pace: what goes wrong before anything is parsed. */
export const transportSites: HostileSites = {
  "gzip-bomb": {
    attacks: "Every answer is 64 KB of gzip that inflate to 64 MB.",
    listener: coded("gzip", () => gzipSync(bomb()))
  },
  "brotli-bomb": {
    attacks: "Every answer is a few hundred bytes of Brotli that inflate to 64 MB.",
    listener: coded("br", () => brotliCompressSync(bomb(), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
  },
  "zstd-bomb": {
    attacks: "Every answer is a few kilobytes of Zstandard that inflate to 64 MB.",
    listener: coded("zstd", () => zstdCompressSync(bomb()))
  },
  "zstd-window": {
    attacks: "Zstandard frames ask for a window of two gigabytes.",
    listener: coded("zstd", () =>
      Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8]), randomBytes(100_000)])
    )
  },
  "deflate-bomb": {
    attacks: "Every answer inflates to 64 MB, with a coding named in capitals and twice over.",
    listener: coded("DEFLATE", () => deflateSync(bomb()))
  },
  "coding-twice": {
    attacks: "A bomb is compressed by gzip, and then by gzip.",
    listener: coded("gzip, gzip", () => gzipSync(gzipSync(bomb())))
  },
  "coding-many": {
    attacks: "The answer names a thousand codings.",
    listener: coded(Array(1_000).fill("gzip").join(", "), () => gzipSync("<p>x</p>"))
  },
  "coding-false": { attacks: "What is said to be Brotli is random.", listener: coded("br", () => randomBytes(2 * MB)) },
  "gzip-members": {
    attacks: "A body is 100,000 empty gzip members one after the other.",
    listener: coded("gzip", () => Buffer.concat(Array(100_000).fill(gzipSync(""))))
  },
  "charset-false": {
    attacks: "Pages say that they are in UTF-16, and are not.",
    listener: charset("utf-16le", () => Buffer.from(page("Page", PROSE.repeat(2_000))))
  },
  "charset-japanese": {
    attacks: "Megabytes of escape sequences are said to be ISO-2022-JP.",
    listener: charset("iso-2022-jp", () =>
      Buffer.from(`<title>x</title><p>${"\u001b$B\u001b(B\u001b".repeat(500_000)}`)
    )
  },
  "charset-korean": {
    attacks: "Megabytes of lead bytes without a trail are said to be EUC-KR, which another decoder reads.",
    listener: charset("euc-kr", () => Buffer.concat([Buffer.from("<title>x</title><p>"), Buffer.alloc(4 * MB, 0xb0)]))
  },
  "charset-long": {
    attacks: "The charset parameter is ten thousand quotes and semicolons.",
    listener: withHeader("content-type", `text/html;${' charset="'.repeat(1_200)}`)
  },
  "header-spaces": {
    attacks:
      "Header values are thousands of spaces around a letter, on which trimming by a regular expression takes quadratic time.",
    listener: withHeader("x-robots-tag", `noai${" ".repeat(14_000)}x`)
  },
  "header-links": {
    attacks: "A `Link` header is fourteen kilobytes of beginnings of parameters.",
    listener: withHeader("link", `</llms.txt>${'; a="'.repeat(2_800)}`)
  },
  "header-many": {
    attacks: "An answer has 200 `Link` headers with eighty links each.",
    listener: (_, response) => {
      response.writeHead(
        200,
        [
          ["content-type", "text/html"],
          ...Array.from({ length: 14 }, () => [
            "link",
            Array(80).fill("</a>; rel=alternate; type=text/markdown").join(",")
          ])
        ].flat()
      )
      response.end(page("Page"))
    }
  },
  "header-flood": {
    attacks: "The headers of an answer never end.",
    listener: ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      const timer = setInterval(() => socket.write(`x-more: ${"a".repeat(4_000)}\r\n`), 10)
      socket.on("close", () => clearInterval(timer))
    }
  },
  interim: {
    attacks: "The server sends interim answers (103) without an end, as fast as they are read.",
    listener: flood("", "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n".repeat(2_000))
  },
  chunks: {
    attacks: "A body comes in chunks of one byte, each with an extension of two kilobytes.",
    listener: raw(
      `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n${`1;${"e".repeat(2_000)}\r\na\r\n`.repeat(2_000)}0\r\n\r\n`
    )
  },
  "chunk-extensions": {
    attacks:
      "A body comes in chunks of one byte, each with an extension of eight kilobytes, without an end, as fast as they are read.",
    listener: flood(CHUNKED, `1;${"e".repeat(8_000)}\r\nA\r\n`)
  },
  trailers: {
    attacks: "A short body is followed by a trailer of spaces without an end, as fast as they are read.",
    listener: flood(`${CHUNKED}1\r\nA\r\n0\r\nx-more:`, " ".repeat(64_000))
  },
  "not-http": {
    attacks: "The server speaks SMTP and then random bytes.",
    listener: raw(Buffer.concat([Buffer.from("220 mail.example.com ESMTP\r\n"), randomBytes(MB)]))
  },
  "two-answers": {
    attacks: "One request is answered twice, with different lengths.",
    listener: raw(
      "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 50\r\n\r\nhelloHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc"
    )
  },
  drips: { attacks: "Every answer comes a few bytes at a time and never ends.", listener: dripping("<p>", 100, html) },
  "drips-behind": {
    attacks: "All pages but the first come a few bytes at a time and never end.",
    listener: behindFirstPage(dripping("<p>", 100, html))
  },
  "drips-slowly": {
    attacks: "All pages but the first send a byte just before a stall would be noticed.",
    listener: behindFirstPage(dripping(" ", 6_000, html))
  },
  "drips-redirects": {
    attacks: "Every answer waits a second and redirects to another page.",
    listener: behindFirstPage((request, response) => {
      setTimeout(() => {
        response.writeHead(302, { location: `${pathOf(request).slice(0, 200)}x` })
        response.end()
      }, 1_000)
    })
  },
  stalls: { attacks: "Every answer stops in the middle.", listener: (_, response) => html(response) },
  "stalls-behind": {
    attacks: "All pages but the first stop in the middle.",
    listener: behindFirstPage((_, response) => html(response))
  },
  hangs: { attacks: "Nothing is ever answered.", listener: () => undefined },
  "hangs-behind": {
    attacks: "Nothing but the first page is ever answered.",
    listener: behindFirstPage(() => undefined)
  },
  "retry-later": {
    attacks: "Everything but the first page asks to come again in a century, and then in a second.",
    listener: behindFirstPage((request, response) => {
      response.writeHead(429, { "retry-after": pathOf(request).length % 2 === 0 ? "9".repeat(300) : "1" })
      response.end()
    })
  },
  huge: {
    attacks: "Every page has fifty megabytes.",
    listener: (request, response) => {
      response.writeHead(200, { "content-type": "text/html" })
      response.write(page(`Huge ${pathOf(request)}`))
      response.end(Buffer.alloc(50 * MB, PROSE))
    }
  },
  "redirect-circle": {
    attacks: "Every page redirects to the one before it, by HTTP, meta refresh and script in turn.",
    listener: (request, response) => {
      const next = `/guide/p${(Number(/\d+/.exec(pathOf(request))?.[0] ?? 0) + 1) % 7}`
      const way = pathOf(request).length % 3
      if (way === 0) return send(response, `<meta http-equiv="refresh" content="0; url=${next}">`)
      if (way === 1) return send(response, `<script>location.replace("${next}")</script>`)
      response.writeHead(302, { location: next })
      response.end()
    }
  },
  resets: {
    attacks: "Every other connection is reset in the middle of an answer.",
    listener: (() => {
      let asked = 0
      const plain = pages()
      return (request, response) => {
        asked += 1
        if (asked % 2 === 0) return plain(request, response)
        response.writeHead(200, { "content-type": "text/html", "content-length": "1000000" })
        response.write(page("Cut"), () => request.socket.resetAndDestroy())
      }
    })()
  }
}
