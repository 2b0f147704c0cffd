import { BlockList, isIP } from "node:net"

/** Addresses that an operator publishes for its agents. */
export interface PublishedList {
  /** The agents that ask from them, by their names on the list of A3. */
  readonly agents: ReadonlyArray<string>
  readonly source: string
  /** The day of the list, `YYYY-MM-DD`: what was published later is not in it. */
  readonly date: string
  /** Ranges, separated by blanks; one without a mask has 16 addresses (/28), as most of OpenAI's have. */
  readonly ranges: string
}

/** Lists as they were published, read as others keep them. Agents of other operators are not verified. */
export const PUBLISHED_LISTS: ReadonlyArray<PublishedList> = [
  {
    agents: ["GPTBot"],
    source: "https://openai.com/gptbot.json",
    date: "2025-10-30",
    ranges:
      "132.196.86.0/24 172.182.202.0/25 172.182.204.0/24 172.182.207.0/25 172.182.214.0/24 172.182.215.0/24 " +
      "20.125.66.80 20.171.206.0/24 20.171.207.0/24 4.227.36.0/25 52.230.152.0/24 74.7.175.128/25 74.7.227.0/25 " +
      "74.7.227.128/25 74.7.228.0/25 74.7.230.0/25 74.7.241.0/25 74.7.241.128/25 74.7.242.0/25 74.7.243.128/25 " +
      "74.7.244.0/25"
  },
  {
    agents: ["OAI-SearchBot"],
    source: "https://openai.com/searchbot.json",
    date: "2026-01-02",
    ranges:
      "104.210.140.128 135.234.64.0/24 172.182.193.224 172.182.193.80 172.182.194.144 172.182.194.32 " +
      "172.182.195.48 172.182.209.208 172.182.211.192 172.182.213.192 172.182.224.0 172.203.190.128 20.14.99.96 " +
      "20.168.18.32 20.169.6.224 20.169.7.48 20.169.77.0/25 20.171.123.64 20.171.53.224 20.25.151.224 " +
      "20.42.10.176 4.227.36.0/25 40.67.175.0/25 40.90.214.16 51.8.102.0/24 74.7.175.128/25 74.7.228.0/25 " +
      "74.7.228.128/25 74.7.229.0/25 74.7.229.128/25 74.7.230.0/25 74.7.241.128/25 74.7.242.128/25 74.7.243.0/25 " +
      "74.7.244.0/25"
  },
  {
    agents: ["ChatGPT-User"],
    source: "https://openai.com/chatgpt-user.json",
    date: "2026-08-05",
    ranges:
      "4.151.71.176 4.151.119.48 4.151.241.240 4.189.118.208 4.189.119.48 4.197.19.176 4.197.22.112 " +
      "4.197.64.0/27 4.197.64.48 4.197.64.64 4.197.115.112 4.198.72.16 4.198.96.112 4.201.232.64/27 4.203.96.80 " +
      "4.205.128.176 4.218.24.64 4.226.200.16 4.226.226.32 9.129.0.0/17 9.160.34.144 9.160.36.16 9.160.96.16 " +
      "9.160.128.16 9.160.128.64 9.160.163.128 9.163.101.48 9.205.8.48 9.205.8.64 9.205.25.128 9.205.30.128/27 " +
      "9.205.30.176 9.205.128.32/27 9.223.181.208 9.234.96.192 9.234.97.96 9.234.97.128 9.235.40.32 " +
      "13.65.138.96/27 13.67.72.16 13.70.107.160 13.71.2.208 13.76.32.208 13.76.116.80 13.83.167.128 " +
      "13.83.237.176 20.17.108.96 20.27.94.128 20.45.178.144 20.55.229.144 20.57.199.192 20.63.180.96 " +
      "20.63.221.64 20.83.243.176 20.97.189.96 20.102.212.144 20.113.211.112 20.113.225.112 20.125.112.224 " +
      "20.125.144.144 20.161.75.208 20.168.7.192 20.168.7.240 20.169.72.112 20.169.73.32 20.169.73.64 " +
      "20.169.73.176 20.169.78.48 20.169.78.64/26 20.169.78.128/26 20.169.78.192/27 20.169.86.224/27 " +
      "20.169.87.112 20.170.184.16 20.170.184.32/27 20.170.184.64/27 20.172.29.32 20.193.233.240 20.194.0.208 " +
      "20.194.1.0 20.198.67.96 20.199.211.160 20.199.242.0 20.200.212.240 20.204.24.240 20.210.154.128 " +
      "20.210.174.208 20.210.211.192 20.215.187.208 20.215.188.192 20.215.214.16 20.215.219.128 20.215.219.160 " +
      "20.215.219.208 20.215.220.128/27 20.215.220.176 20.215.220.192 20.218.30.240 20.219.71.192 20.222.36.192 " +
      "20.226.32.80 20.227.140.32 20.228.106.176 20.235.87.224 20.249.63.208 20.250.6.128 20.250.136.64 " +
      "23.98.142.176 23.98.179.16 23.98.186.64 23.98.186.96 23.98.186.176 23.98.186.192 23.102.140.144 " +
      "23.102.141.32 40.67.183.160/27 40.74.200.208 40.78.161.48 40.81.67.96 40.81.234.144 40.84.181.32 " +
      "40.84.221.208 40.84.221.224 40.116.73.208 48.193.44.32 48.221.40.176 48.221.184.80 48.221.184.96/27 " +
      "51.8.155.48 51.8.155.64 51.8.155.112 51.56.40.80 51.57.0.96 51.59.24.64/27 51.59.40.80 51.59.40.96 " +
      "51.59.48.80 51.59.48.96 51.116.2.80 51.116.221.96 52.148.129.32 52.153.130.64 52.154.22.48 52.156.77.144 " +
      "52.159.227.32 52.159.249.96 52.161.49.96 52.165.212.16 52.165.212.32/27 52.172.129.160 52.172.251.112 " +
      "52.173.219.96/27 52.173.221.16 52.173.221.176 52.173.221.208 52.173.234.16 52.173.234.80 52.173.235.80 " +
      "52.183.217.240 52.187.246.128 52.190.137.16 52.190.137.144 52.190.139.48 52.190.142.64 52.190.190.16 " +
      "52.225.75.208 52.230.163.32 52.230.164.176 52.231.30.48 52.231.34.176 52.231.39.144 52.231.50.64 " +
      "52.236.94.144 52.241.146.208 52.242.132.224/27 52.242.245.208 52.252.113.240 52.255.109.80 " +
      "52.255.109.96/27 52.255.109.128/27 52.255.111.0 52.255.111.32/27 52.255.111.80 52.255.111.112 " +
      "57.154.174.112 57.154.175.0 57.154.187.32 68.154.28.96 68.218.30.112 68.220.57.64 70.153.76.16 " +
      "70.153.87.224 70.153.139.208 70.153.189.192 70.153.190.16 70.156.152.96 74.7.35.48 74.7.35.112 " +
      "74.7.36.64/27 74.7.36.96 74.161.200.96 74.224.217.64 74.226.253.160 74.249.86.176 85.211.241.128 " +
      "104.208.184.192 104.210.139.192 104.210.139.224 128.85.198.32 132.196.82.48 134.149.233.80 135.13.64.240 " +
      "135.116.136.160 135.220.73.208 135.220.73.240 135.237.131.208 135.237.133.48 137.135.191.176 138.91.30.48 " +
      "138.91.46.96 145.132.136.96 158.158.5.32 168.63.252.240 172.162.248.64 172.170.1.80 172.170.8.208 " +
      "172.170.225.0 172.170.241.80 172.171.4.176 172.175.152.224 172.178.140.144 172.178.141.112 " +
      "172.178.141.128 172.183.143.224 172.183.222.128 172.192.112.208 172.197.160.192 172.197.161.208 " +
      "172.197.170.80 172.197.203.16 172.199.137.80 172.204.27.16 172.204.28.224 172.204.96.32/27 172.204.96.80 " +
      "172.205.189.192 172.207.1.32 172.208.128.32/27 172.212.159.64 172.212.172.160 172.213.21.16 " +
      "172.215.215.32 172.215.218.96 191.233.1.112 191.233.194.32 191.233.196.112 191.233.199.160 191.235.66.16 " +
      "191.235.99.80 191.237.249.64 191.239.245.16"
  },
  {
    agents: ["ClaudeBot", "Claude-User", "Claude-SearchBot"],
    source: "https://claude.com/crawling/bots.json",
    date: "2026-08-12",
    ranges:
      "216.73.216.0/22 40.124.101.48 34.11.34.31/32 34.85.172.162/32 34.150.241.79/32 34.162.191.81/32 " +
      "34.162.230.222/32 34.162.244.71/32 34.182.140.95/32 34.182.161.143/32 34.182.218.27/32 34.182.220.85/32 " +
      "34.182.222.37/32 34.182.225.167/32 34.182.226.151/32 34.182.226.221/32 34.186.108.163/32 35.221.29.174/32 " +
      "35.245.89.239/32 35.245.175.129/32 136.107.176.208/32"
  },
  {
    agents: ["PerplexityBot"],
    source: "https://www.perplexity.ai/perplexitybot.json",
    date: "2025-02-07",
    ranges:
      "107.20.236.150/32 3.224.62.45/32 18.210.92.235/32 3.222.232.239/32 3.211.124.183/32 3.231.139.107/32 " +
      "18.97.1.228/30 18.97.9.96/29"
  },
  {
    agents: ["Perplexity-User"],
    source: "https://www.perplexity.ai/perplexity-user.json",
    date: "2025-10-17",
    ranges: "44.208.221.197/32 34.193.163.52/32 18.97.21.0/30 18.97.43.80/29"
  },
  {
    agents: ["CCBot"],
    source: "https://index.commoncrawl.org/ccbot.json",
    date: "2026-06-14",
    ranges: "3.41.188.32/29 18.97.9.168/29 18.97.14.80/29 18.97.14.88/30 98.85.178.216/32 2600:1f28:365:80b0::/60"
  }
]

/** Whether an address is one of those that the agent's operator publishes; `null`: we cannot tell. */
export type IsPublished = (agent: string, address: string) => boolean | null

/** Whether agents are who they say, as far as their operators publish their addresses. */
interface Verification {
  readonly isPublished: IsPublished
  /** The day of the list of an agent; `null`: there is none. */
  readonly listOf: (agent: string) => string | null
}

const familyOf = (address: string): "ipv4" | "ipv6" => (address.includes(":") ? "ipv6" : "ipv4")

/** The addresses of ranges such as `192.0.2.0/24`; `null` if one of them is none. */
export const rangesOf = (ranges: Iterable<string>): BlockList | null => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = "", mask] = range.split("/")
    const bits = mask === undefined ? 28 : Number(mask)
    const isRange =
      isIP(address) !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= (isIP(address) === 4 ? 32 : 128)
    if (!isRange) return null
    list.addSubnet(address, bits, familyOf(address))
  }
  return list
}

/** Addresses that say nothing of who asked: of this machine and of private networks. */
const INNER = rangesOf([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10"
])

/** An address as it is compared; `null` for one that says nothing: none, an inner one, or one whose end was cut off. */
const comparable = (address: string): string | null => {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, "")
  if (isIP(bare) === 0 || /\.0$|::$/.test(bare)) return null
  return INNER?.check(bare, familyOf(bare)) === true ? null : bare
}

/** Answers that are kept for each agent. */
const MOST_KEPT = 10_000

export const verification = (lists: ReadonlyArray<PublishedList> = PUBLISHED_LISTS): Verification => {
  const byAgent = new Map(
    lists.flatMap(({ agents, date, ranges }) => {
      const published = rangesOf(ranges.split(" "))
      const known = new Map<string, boolean | null>()
      return published === null ? [] : agents.map((agent) => [agent, { date, known, published }] as const)
    })
  )
  return {
    listOf: (agent) => byAgent.get(agent)?.date ?? null,
    isPublished: (agent, address) => {
      const list = byAgent.get(agent)
      if (list === undefined) return null
      const seen = list.known.get(address)
      if (seen !== undefined) return seen
      const bare = comparable(address)
      const isPublished = bare === null ? null : list.published.check(bare, familyOf(bare))
      if (list.known.size >= MOST_KEPT) list.known.clear()
      list.known.set(Buffer.from(address).toString(), isPublished)
      return isPublished
    }
  }
}
