import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-watched-"))
const LOG = join(folder, "connections")
const WATCHED = pathToFileURL(join(import.meta.dirname, "../harness/WatchedNetwork.ts"))
WATCHED.searchParams.set("log", LOG)

/** Every connection that a process of the service began so far. */
const connections = (): ReadonlyArray<string> => readFileSync(LOG, "utf8").split("\n").slice(0, -1)

/** The first and last address of what is not public, and of what only looks so. */
const PRIVATE_IPV4 = [
  "0.0.0.0",
  "0.255.255.255",
  "10.0.0.0",
  "10.255.255.255",
  "100.64.0.0",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.255",
  "168.63.129.16",
  "169.254.0.0",
  "169.254.169.254",
  "172.16.0.0",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.0",
  "192.168.255.255",
  "192.175.48.1",
  "198.18.0.0",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.0",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255"
]
const PRIVATE_IPV6 = [
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:2::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2620:4f:8000::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "ff02::1"
]

/** One loopback address in many spellings, and names that lead there. */
const SPELLINGS = [
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "１２７.０.０.１",
  "%31%32%37.0.0.1",
  "0",
  "localhost",
  "LOCALHOST.",
  "a.localhost",
  "printer.local",
  "x.internal",
  "router.home.arpa",
  "metadata.google.internal",
  "intranet",
  "db.corp",
  "nas.lan"
]

interface Refusal {
  readonly status: number
  readonly code: string | undefined
}

describe("the service, strict as it is, never begins a connection", () => {
  let service: ServiceProcess
  let url: string

  beforeAll(async () => {
    writeFileSync(LOG, "")
    service = new ServiceProcess({
      program: PROGRAM,
      env: { ...LIMITLESS, DOCGAUGE_DATABASE_URL: "memory:", NODE_OPTIONS: `--import=${WATCHED.href}` }
    })
    url = await service.url
  })
  afterAll(async () => {
    await service.kill()
    rmSync(folder, { recursive: true })
  })

  const submit = async (baseUrl: string, query = ""): Promise<Refusal> => {
    const response = await fetch(`${url}/audit${query}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ base_url: baseUrl })
    })
    const { code }: { readonly code?: string } = JSON.parse(await response.text())
    return { status: response.status, code }
  }

  const expectRefusals = async (addresses: ReadonlyArray<string>): Promise<void> => {
    for (const address of addresses)
      expect([address, await submit(address), connections()]).toEqual([
        address,
        { status: 400, code: "not_public_address" },
        []
      ])
  }

  it("to an address that is not public", () =>
    expectRefusals([
      ...PRIVATE_IPV4.map((address) => `https://${address}`),
      ...PRIVATE_IPV6.map((address) => `https://[${address}]`)
    ]))

  it("to one in another spelling, or to a name that is reserved", () =>
    expectRefusals(SPELLINGS.map((host) => `https://${host}/docs`)))

  it("to a name that leads to an address that is not public, alone or among others", () =>
    expectRefusals([
      ...PRIVATE_IPV4.map((address) => `https://a-${address.replaceAll(".", "-")}.example.org`),
      ...PRIVATE_IPV4.map((address) => `https://a-93-184-216-34--and--a-${address.replaceAll(".", "-")}.example.org`),
      ...PRIVATE_IPV6.filter((address) => !address.includes(".") && !/^:|:$/.test(address)).map(
        (address) => `https://b-${address.replaceAll(":", "-")}.example.org`
      )
    ]))

  it("unless the name leads to public addresses only", async () => {
    expect(await submit("https://a-93-184-216-34.example.org")).toEqual({ status: 422, code: undefined })
    expect(connections()).not.toEqual([])
    expect(connections().join()).not.toContain("127.0.0.1")
  })
})
