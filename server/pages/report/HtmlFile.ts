import type { AuditReport } from "../../../engine/audit/Report.ts"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { assetText } from "../kit/Assets.ts"
import { type Content, html } from "../kit/Html.ts"
import { renderPage } from "../kit/PageAnswer.ts"
import { siteName } from "../kit/Parts.ts"
import { reportBody } from "./ReportPage.ts"
import { type RubricWords, scoreInFull } from "./ReportView.ts"

/** Nothing may load or run: the file is read from a disk or as an artifact, and quotes the audited site. */
export const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The style sheets of the page, without its font files. */
const STYLES = ["base.css", "report.css"]
  .map(assetText)
  .join("\n")
  .replaceAll(/@font-face\s*\{[^}]*\}/g, "")

/** What the one who wrote the file says above the report. */
export interface ReportNote {
  readonly title: string
  readonly text: string
}

interface HtmlOptions {
  readonly words: RubricWords
  readonly notes?: ReadonlyArray<ReportNote>
}

const notesAbove = (notes: ReadonlyArray<ReportNote>): Content =>
  notes.length === 0
    ? null
    : html`
    <div class="warning warning-mild" role="note" aria-label="Gate">${notes.map(({ text, title }) => html`<p><strong>${title}:</strong> ${text}</p>`)}</div>`

/** The report as one HTML file with the content of the service's page. It needs no script and no network; fonts are the reader's. */
export const renderHtml = (report: AuditReport, { notes = [], words }: HtmlOptions): string =>
  renderPage(html`
  <html lang="en">
    <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content=${FILE_POLICY}/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="referrer" content="no-referrer"/>
      <meta name="generator" content=${`docgauge ${ENGINE_VERSION}`}/>
      <title>${`${siteName(report.base_url)}: ${scoreInFull(report)} · docgauge`}</title>
      <style dangerouslySetInnerHTML=${{ __html: STYLES }}/>
    </head>
    <body>
      <a class="skip-link" href="#main">Skip to content</a>
      <main id="main" class="page"><article class="report">${notesAbove(notes)}${reportBody({ report, words }, null)}</article></main>
    </body>
  </html>`)
