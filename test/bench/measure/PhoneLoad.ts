import type { Browser, CDPSession } from "playwright-core"

/** What loading a page came to. */
export interface PhoneLoad {
  /** Of everything that the page needs, as it came over the wire, headers among it. */
  readonly bytes: number
  /** When the largest piece was painted, in milliseconds after the navigation began. */
  readonly largestPaintMs: number
  /** The sum of layout shifts. */
  readonly layoutShift: number
}

/** A phone in a mobile network: 4 × slower than this machine, 1.6 Mbit/s, 150 ms there and back. */
const CPU_SLOWDOWN = 4
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

/** Longer than anything on a page goes on for. */
const SETTLED_MS = 1_000

const OBSERVE = `
  window.seen = { paint: 0, shift: 0 }
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.seen.paint = entry.startTime }).observe({ type: "largest-contentful-paint", buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.seen.shift += entry.value }).observe({ type: "layout-shift", buffered: true })
`

/** Loads a page with nothing in any cache, scrolls through it, and tells what that came to. */
export const loadOnPhone = async (browser: Browser, address: string): Promise<PhoneLoad> => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true
  })
  await context.addInitScript({ content: OBSERVE })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const traffic = await countedTraffic(session)
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN })
  await session.send("Network.emulateNetworkConditions", NETWORK)
  await page.goto(address, { waitUntil: "load" })
  await page.evaluate("scrollTo(0, document.body.scrollHeight)")
  await page.waitForTimeout(SETTLED_MS)
  const seen: { readonly paint: number; readonly shift: number } = await page.evaluate("window.seen")
  await context.close()
  return { bytes: traffic.bytes, largestPaintMs: seen.paint, layoutShift: seen.shift }
}

const countedTraffic = async (session: CDPSession): Promise<{ readonly bytes: number }> => {
  const traffic = { bytes: 0 }
  await session.send("Network.enable")
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength
  })
  return traffic
}
