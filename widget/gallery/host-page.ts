// A page of some site with the widget in its header, under the strictest policy that the widget promises to work with.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HostPage {
  url: string
  close(): Promise<void>
}

/** `default-src 'none'`, no nonce, no inline anything, and Trusted Types without a single policy named. */
export function strictPolicy(edgeUrl: string, serviceUrl = edgeUrl): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${edgeUrl}`,
    `connect-src ${serviceUrl} ${serviceUrl.replace(/^http/, 'ws')}`,
    "img-src 'self' https: data:",
    "style-src 'self'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const CSS = `
:root { color-scheme: light dark }
html[data-scheme=dark] { color-scheme: dark }
html[data-scheme=light] { color-scheme: light }
body { margin: 0; min-height: 100vh; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#f4f5f8, #0e0f12); color: light-dark(#23262f, #d5d8df) }
header { display: flex; align-items: center; gap: 20px; padding: 12px 28px; background: light-dark(#fff, #17181c); border-block-end: 1px solid light-dark(#e7e9ee, #2a2d34) }
header b { font-size: 18px; letter-spacing: -.02em; margin-inline-end: auto }
#slot { display: flex; min-width: 40px; min-height: 40px }
main { max-width: 720px; margin: 40px auto; padding: 0 28px }
.place { width: 400px; height: 600px; margin: 32px }
@media (max-width: 480px) { header nav { display: none } .place { width: auto; margin: 16px } }
`

const page = (
  edgeUrl: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Harbour Goods</title><link rel="stylesheet" href="/host.css"><script src="/host.js"></script>
<script async src="${edgeUrl}/widget/notification-center.js"></script></head>
<body><header><b>Harbour Goods</b><nav>Shop &nbsp; Orders &nbsp; Help</nav><span id="slot"></span></header>
<main><h1>Good things, well made</h1><p>Everything on this shelf was chosen by someone who uses it. Take your time.</p></main></body></html>`

/** Counts what the policy refused; the tests read it. `?without=` takes from the page what an older or stricter browser has not. */
const SCRIPT = `globalThis.violations = []
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI))
globalThis.defects = []
addEventListener('error', (event) => defects.push(String(event.message)))
addEventListener('unhandledrejection', (event) => defects.push(String(event.reason && event.reason.stack || event.reason)))
const refuse = () => { throw new DOMException('refused', 'SecurityError') }
const taken = {
  popover: () => { for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover']) delete HTMLElement.prototype[name] },
  storage: () => { IDBFactory.prototype.open = refuse },
  socket: () => { globalThis.WebSocket = function () { refuse() } },
  locks: () => { delete Navigator.prototype.locks; delete globalThis.BroadcastChannel },
  // As Firefox where it keeps nothing of the site.
  data: () => {
    IDBFactory.prototype.open = refuse
    LockManager.prototype.request = LockManager.prototype.query = async () => refuse()
    globalThis.BroadcastChannel = function () { refuse() }
  },
}
for (const name of new URLSearchParams(location.search).getAll('without')) taken[name]()`

const FILES: Record<string, [type: string, text: string]> = {
  '/host.css': ['text/css', CSS],
  '/host.js': ['text/javascript', SCRIPT],
}

/** `serviceUrl`: where the element calls, when that is not where its script comes from. `scripts`: the site's own, by path. */
export async function startHostPage(
  edgeUrl: string,
  serviceUrl = edgeUrl,
  policy = strictPolicy(edgeUrl, serviceUrl),
  scripts: Readonly<Record<string, string>> = {},
): Promise<HostPage> {
  const fileAt = (path: string): [type: string, text: string] => {
    const script = scripts[path]
    return script === undefined ? (FILES[path] ?? ['text/html', page(edgeUrl)]) : ['text/javascript', script]
  }
  const server = createServer((request, response) => {
    const [type, text] = fileAt(new URL(request.url ?? '/', 'http://host').pathname)
    response.setHeader('content-type', `${type}; charset=utf-8`)
    response.setHeader('content-security-policy', policy)
    response.end(text)
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
