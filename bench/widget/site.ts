// Serves a customer's page with the widget in its header, on its own origin, under the documented content security policy.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Site {
  url: string
  close(): Promise<void>
}

const CSS = `
body { margin: 0; font: 16px/1.6 system-ui, sans-serif }
header { display: flex; gap: 20px; padding: 12px 28px; align-items: center }
header b { margin-inline-end: auto }
#slot { display: flex }
main { max-width: 720px; margin: 40px auto }
notification-center:not(:defined) { display: inline-block; width: 40px; height: 40px }
`

/** Builds the page; without `attributes` it has the script but no tag. */
function page(edgeUrl: string, attributes: string | null): string {
  const tag = attributes === null ? '' : `<notification-center ${attributes}></notification-center>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/site.css"><script async src="${edgeUrl}/widget/notification-center.js"></script></head>
<body><header><b>A shop</b><nav>Shop Orders Help</nav><span id="slot">${tag}</span></header>
<main><h1>Good things</h1><p>${'Everything on this shelf was chosen by someone who uses it. '.repeat(20)}</p></main></body></html>`
}

export async function startSite(edgeUrl: string): Promise<Site> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${edgeUrl}`,
    `connect-src ${edgeUrl} ${edgeUrl.replace(/^http/, 'ws')}`,
    "img-src 'self' https: data:",
    "style-src 'self'",
    "require-trusted-types-for 'script'",
  ].join('; ')
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
    const isSheet = pathname === '/site.css'
    response.setHeader('content-type', isSheet ? 'text/css' : 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy)
    if (isSheet) response.setHeader('cache-control', 'max-age=300')
    response.end(isSheet ? CSS : page(edgeUrl, searchParams.get('tag')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
