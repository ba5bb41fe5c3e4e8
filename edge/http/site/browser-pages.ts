// Answers a browser at addresses that nothing serves: `/` leads to the dashboard, a slash at the end is left out, and others
// show a page that leads to the dashboard.

import { html } from 'hono/html'
import type { Site } from '../kernel/http.ts'
import { basePathOf } from '../node/path-prefix.ts'
import { pageResponse, plainPage } from './plain-page.ts'

/**
 * @param site Asked first; absent: there are no other pages.
 * @param publicUrl Its path begins the addresses of the links.
 * @returns The site with these pages. It answers `undefined` to programs, which get JSON.
 */
export function withBrowserPages(site: Site | undefined, publicUrl: () => string): Site {
  return async (request) => {
    const served = await site?.(request)
    if (served !== undefined) return served
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const base = basePathOf(publicUrl())
    const dashboard = `${base}/dashboard`
    const { pathname, search } = new URL(request.url)
    if (pathname === '/') return found(dashboard)
    if (!takesHtml(request)) return undefined
    // Two slashes at the beginning would be the address of another host.
    if (pathname.endsWith('/')) return found(`${base}/${pathname.replace(/^\/+|\/+$/g, '')}${search}`)
    return unknownPage(dashboard)
  }
}

// 302, because a server that gets the demo later has pages there.
const found = (location: string) =>
  new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })

const takesHtml = (request: Request) => /\btext\/html\b/i.test(request.headers.get('accept') ?? '')

async function unknownPage(dashboard: string): Promise<Response> {
  const content = html`<p>The address may be mistyped, or the page was removed.</p><p><a href="${dashboard}">Open the dashboard</a></p>`
  const answer = plainPage({ lang: 'en', dir: 'ltr', title: 'There is no page at this address', content })
  const page = await pageResponse(answer, 404)
  page.headers.set('vary', 'Accept')
  return page
}
