import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { connect, Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { FetchLimits, limitsWith } from "../../../engine/evidence/FetchLimits.ts"
import { guardedHttp, type GuardedHttpOptions } from "../../../engine/evidence/http/GuardedHttp.ts"
import { Network } from "../../../engine/evidence/http/Network.ts"
import { type Hop, Transport } from "../../../engine/evidence/Transport.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { httpServer } from "../LoopbackServers.ts"

const guarded: GuardedHttpOptions = {
  resolve: [],
  allowPrivate: false,
  allowHttp: true,
  userAgents: userAgents("1.2.3", null)
}

const PUBLIC = "93.184.216.34"

interface Seen {
  readonly hop: Hop
  readonly lookups: ReadonlyArray<string>
  readonly dials: ReadonlyArray<readonly [addresses: ReadonlyArray<string>, port: number]>
}

const systemError = (code: string): Error => Object.assign(new Error(code), { code })

/** Sends one request into a network that only notes what it is asked; `dial` says what a connection leads to. */
const seenOf = async (
  url: string,
  {
    answers = [[PUBLIC]],
    own = [],
    dial = () => new Socket().destroy(systemError("ECONNREFUSED")),
    ...options
  }: Partial<GuardedHttpOptions> & {
    readonly answers?: ReadonlyArray<ReadonlyArray<string> | Error>
    readonly own?: ReadonlyArray<string>
    readonly dial?: () => Socket
  }
): Promise<Seen> => {
  const lookups: Array<string> = []
  const dials: Array<readonly [ReadonlyArray<string>, number]> = []
  const network: Network = {
    lookup: async (name) => {
      const answer = answers[Math.min(lookups.length, answers.length - 1)] ?? []
      lookups.push(name)
      if (answer instanceof Error) throw answer
      return answer
    },
    dial: (addresses, port) => {
      dials.push([addresses, port])
      return dial()
    },
    ownAddresses: () => new Set(own)
  }
  const hop = await Effect.runPromise(
    Effect.flatMap(Transport, ({ send }) =>
      send({ asked: { method: "GET", url, accept: "*/*", agent: "docgauge" }, limitBytes: 1_000 })
    ).pipe(
      Effect.provide(guardedHttp({ ...guarded, ...options })),
      Effect.provideService(Network, network),
      Effect.provideService(FetchLimits, limitsWith({ connectMs: 20_000 }))
    )
  )
  return { hop, lookups, dials }
}

const kindOf = (seen: Seen): string => (seen.hop._tag === "HopFault" ? seen.hop.kind : "HopAnswer")

describe("what is refused before any connection", () => {
  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://127.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:8.8.8.8]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest/meta-data/",
    "http://168.63.129.16/",
    "http://[fd00:ec2::254]/",
    "http://100.64.0.1/",
    "http://224.0.0.1/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://app.localhost/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "https://router.home.arpa/",
    "http://１２７.0.0.1/",
    "http://127.0.0.1../",
    "https://wiki/",
    "https://api.default.svc/",
    "https://hidden.onion/",
    "https://docs.test/",
    "https://docs.invalid/",
    "https://docs.example/"
  ])("%s: not public, without even a look-up", async (url) => {
    const seen = await seenOf(url, {})
    expect([kindOf(seen), seen.lookups, seen.dials]).toEqual(["not_public", [], []])
  })

  it.each([
    [["127.0.0.1"]],
    [["10.0.0.1"]],
    [["::1"]],
    [["fe80::1"]],
    [["::ffff:127.0.0.1"]],
    [["64:ff9b::a00:1"]],
    [[PUBLIC, "127.0.0.1"]],
    [[PUBLIC, "2606:2800:220:1::1", "fd00::1"]]
  ])("a name that leads to %j", async (answer) => {
    const seen = await seenOf("https://docs.example.com/", { answers: [answer] })
    expect([kindOf(seen), seen.lookups, seen.dials]).toEqual(["not_public", ["docs.example.com"], []])
    expect(JSON.stringify(seen.hop)).not.toMatch(/127\.0|fd00|10\.0/)
  })

  it.each([
    "ftp://docs.example.com/",
    "file:///etc/passwd",
    "gopher://docs.example.com/",
    "javascript:alert(1)",
    "data:text/html,x",
    "not an address",
    "",
    "https://user@docs.example.com/",
    "https://user:secret@docs.example.com/",
    "https://docs.example.com:22/",
    "https://docs.example.com:25/",
    "http://docs.example.com:443/",
    "https://docs.example.com:80/",
    "http://docs.example.com:1023/",
    "https://docs.example.com:0/",
    "https://docs..example.com/",
    "https://../",
    `https://${"a".repeat(64)}.com/`
  ])("%s: a bad address", async (url) => {
    const seen = await seenOf(url, {})
    expect([kindOf(seen), seen.lookups, seen.dials]).toEqual(["bad_address", [], []])
  })

  const OWN = ["198.41.0.4", "2606:2800:220:1::5"]

  it.each(["https://198.41.0.4/", "https://3324575748/", "https://[2606:2800:220:1:0::5]/"])(
    "%s: a public address of this machine",
    async (url) => {
      const seen = await seenOf(url, { own: OWN })
      expect([kindOf(seen), seen.dials]).toEqual(["not_public", []])
    }
  )

  it("a name that leads to this machine, and to others", async () => {
    const seen = await seenOf("https://docs.example.com/", { own: OWN, answers: [[PUBLIC, "2606:2800:220:1::5"]] })
    expect([kindOf(seen), seen.dials]).toEqual(["not_public", []])
    expect(JSON.stringify(seen.hop)).not.toContain("2606")
  })

  const RANGES = ["93.184.216.0/24", "2001:67c:2b0:db32:0:1::/96", "169.254.169.254/32"]

  it.each(["93.184.216.34", "2001:67c:2b0:db32:0:1:a9fe:a9fe"])(
    "a name that leads into a range that the operator refuses: %s",
    async (address) => {
      const seen = await seenOf("https://docs.example.com/", { refusedRanges: RANGES, answers: [["1.1.1.1", address]] })
      expect([kindOf(seen), seen.dials]).toEqual(["not_public", []])
    }
  )

  it.each([
    "http://93.184.216.34:8080/",
    "http://169.254.169.254/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/"
  ])("%s: in such a range, also where private addresses are allowed", async (url) => {
    const seen = await seenOf(url, { refusedRanges: RANGES, allowPrivate: true })
    expect([kindOf(seen), seen.dials]).toEqual(["not_public", []])
  })

  it("plain http, unless allowed", async () => {
    const seen = await seenOf("http://docs.example.com/", { allowHttp: false })
    expect([kindOf(seen), seen.lookups]).toEqual(["bad_address", []])
  })

  it("whatever the address, it never throws", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.ipV4().map((host) => `http://${host}/`)
        ),
        async (url) => {
          expect((await seenOf(url, {})).hop._tag).toBe("HopFault")
        }
      ),
      { numRuns: 60 }
    )
  })
})

describe("what is dialled", () => {
  it("is every address that was checked, and no name", async () => {
    const seen = await seenOf("https://docs.example.com/", { answers: [[PUBLIC, "2606:2800:220:1::1"]] })
    expect(seen.dials).toEqual([[[PUBLIC, "2606:2800:220:1::1"], 443]])
  })

  it("is a port from 1024 on too", async () => {
    expect((await seenOf("https://docs.example.com:8443/", {})).dials).toEqual([[[PUBLIC], 8443]])
  })

  it("is what a rule says, trusted, without a look-up", async () => {
    const seen = await seenOf("https://docs.example.com/", {
      resolve: [{ host: "*", port: 443, address: "127.0.0.1", toPort: 8843 }]
    })
    expect([seen.lookups, seen.dials]).toEqual([[], [[["127.0.0.1"], 8843]]])
  })

  it("is nothing else for an IP address, whatever the rules", async () => {
    const seen = await seenOf("https://2130706433/", {
      resolve: [{ host: "*", port: 443, address: PUBLIC, toPort: 443 }]
    })
    expect([kindOf(seen), seen.dials]).toEqual(["not_public", []])
  })

  it("is anything where private addresses are allowed", async () => {
    const seen = await seenOf("http://localhost:8080/", { allowPrivate: true, answers: [["127.0.0.1"]] })
    expect(seen.dials).toEqual([[["127.0.0.1"], 8080]])
  })
})

describe("what is dialled of this machine and of refused ranges", () => {
  it("is this machine where private addresses are allowed", async () => {
    expect((await seenOf("http://198.41.0.4/", { allowPrivate: true, own: ["198.41.0.4"] })).dials).toEqual([
      [["198.41.0.4"], 80]
    ])
  })

  it("is what a rule says, wherever that leads", async () => {
    const seen = await seenOf("https://docs.example.com/", {
      own: ["127.0.0.1"],
      refusedRanges: ["127.0.0.0/8"],
      resolve: [{ host: "docs.example.com", port: 443, address: "127.0.0.1", toPort: 8843 }]
    })
    expect(seen.dials).toEqual([[["127.0.0.1"], 8843]])
  })
})

describe("the look-up", () => {
  it.each([
    [systemError("ENOTFOUND"), "no such host"],
    [[], "no such host"],
    [systemError("EAI_FAIL"), "the name could not be looked up"]
  ])("that fails is a dns fault (%#)", async (answer, message) => {
    const { dials, hop, lookups } = await seenOf("https://docs.example.com/", { answers: [answer] })
    expect(hop).toMatchObject({ kind: "dns", message, meta: { peer: null } })
    expect([lookups.length, dials]).toEqual([1, []])
  })

  it("is for the name without dots at its end", async () => {
    expect((await seenOf("https://docs.example.com../", {})).lookups).toEqual(["docs.example.com"])
  })

  it("that fails for the moment is tried once more", async () => {
    const seen = await seenOf("https://docs.example.com/", { answers: [systemError("EAI_AGAIN"), [PUBLIC]] })
    expect([kindOf(seen), seen.lookups.length, seen.dials.length]).toEqual(["refused", 2, 1])
  })

  it("is not believed twice: a second answer is checked like the first", async () => {
    const seen = await seenOf("https://docs.example.com/", { answers: [systemError("EAI_AGAIN"), ["127.0.0.1"]] })
    expect([kindOf(seen), seen.dials]).toEqual(["not_public", []])
  })
})

describe("the connected peer", () => {
  it("is checked before a word is said", async () => {
    let dialled = new Socket()
    const server = await httpServer((_, response) => response.end("secret"))
    try {
      const seen = await seenOf("http://docs.example.com:8080/", {
        dial: () => {
          dialled = connect(server.port, "127.0.0.1")
          return dialled
        }
      })
      expect([kindOf(seen), dialled.destroyed, dialled.bytesWritten]).toEqual(["not_public", true, 0])
      expect(server.connections()).toBe(1)
    } finally {
      await server.close()
    }
  })
})
