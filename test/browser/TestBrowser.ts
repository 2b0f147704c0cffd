import { existsSync } from "node:fs"
import process from "node:process"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { isAvailable } from "../harness/Availability.ts"

/** Debian's Chromium, or the one that `CHROMIUM` names. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

/** The same without a window to draw, where it is installed: three files of tests take 50 seconds of the processor with it, and 94 with the whole. */
const SHELL = "/usr/bin/chromium-headless-shell"
const usual = process.env["CHROMIUM"] === undefined && existsSync(SHELL) ? SHELL : CHROMIUM

export const hasChromium: boolean = isAvailable(`a browser at ${CHROMIUM}`, existsSync(CHROMIUM))

/** A page, and everything that went wrong on it: errors of scripts and of the console, violations of the content policy, requests to elsewhere. */
export interface WatchedPage {
  readonly page: Page
  readonly faults: Array<string>
}

/** A browser that reaches nothing but this machine, and looks for no updates. `keepsPages`: with its back/forward cache, which playwright turns off and the shell lacks. */
export const startBrowser = ({ keepsPages = false }: { readonly keepsPages?: boolean } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: keepsPages ? CHROMIUM : usual,
    ignoreDefaultArgs: keepsPages ? ["--disable-back-forward-cache"] : [],
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    ]
  })

/** Stops the clock of a page's scripts, so that what they show for a while stays until the test lets the time pass. */
export const stopClock = async ({ clock }: Page): Promise<void> => {
  await clock.install()
  // The moment has to be ahead when the page gets there.
  await clock.pauseAt(Date.now() + 60_000)
}

/** A fresh page without cookies or storage, watched from before its first request. */
export const watchedPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("console", (message) => {
    // The status of a page is told by the test that asks for it.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(message.text())
  })
  page.on("pageerror", (error) => faults.push(String(error)))
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("request", (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|data:|blob:|about:)/.test(request.url())) faults.push(`asks for ${request.url()}`)
  })
  return { page, faults }
}
