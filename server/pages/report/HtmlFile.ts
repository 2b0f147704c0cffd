import type { AuditReport } from "../../../engine/audit/Report.ts"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { assetText } from "../kit/Assets.ts"
import { html } from "../kit/Html.ts"
import { renderPage } from "../kit/PageAnswer.ts"
import { siteName } from "../kit/Audited.ts"
import { reportBody } from "./ReportPage.ts"
import { type RubricWords, scoreInFull } from "./ReportView.ts"

/** Nothing may load or run: the file is read from a disk or as an artifact, and quotes the audited site. */
export const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The style sheets of the page, without its font files. */
const STYLES = ["base.css", "report.css"].map(assetText).join("\n").replaceAll(/@font-face\s*\{[^}]*\}/g, "")

/** The report as one HTML file with the content of the service's page. It needs no script and no network; fonts are the reader's. */
export const renderHtml = (report: AuditReport, { words }: { readonly words: RubricWords }): string => renderPage(html`
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
      <main id="main" class="page"><article class="report">${reportBody({ report, words }, null)}</article></main>
    </body>
  </html>`)
