import { apache } from "./Apache.ts"
import { caddy } from "./Caddy.ts"
import { cloudflare } from "./Cloudflare.ts"
import type { HostFormat, HostName } from "./HostRules.ts"
import { netlify } from "./Netlify.ts"
import { nginx } from "./Nginx.ts"
import { vercel } from "./Vercel.ts"

/** How each host is told its rules; `null`: it sends files, and nothing can be told it. */
export const FORMATS: Readonly<Record<HostName, HostFormat | null>> = {
  netlify,
  vercel,
  cloudflare,
  nginx,
  caddy,
  apache,
  "github-pages": null,
  s3: null
}

/** The names of hosts for people. */
export const HOST_TITLES: Readonly<Record<HostName, string>> = {
  netlify: "Netlify",
  vercel: "Vercel",
  cloudflare: "Cloudflare Pages",
  nginx: "nginx",
  caddy: "Caddy",
  apache: "Apache",
  "github-pages": "GitHub Pages",
  s3: "Amazon S3"
}
