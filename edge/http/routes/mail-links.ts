// Serves the addresses in mails: the pixel, the links, and the page for unsubscribing. No session: the token is signed.

import { z } from '@hono/zod-openapi'
import type { Followed } from '../../flow/mail/follow-links.ts'
import { ApiError } from '../../lib/api-error.ts'
import { headerOf, type RequestContext } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'
import { clientAddress, networkOf } from '../limits/rate-limits.ts'
import { pageResponse } from '../site/plain-page.ts'
import { brokenLinkPage, type PageState, preferencesPage, subscriptionPage } from './link-page.ts'

type Links = Pick<Services, 'linkTokens' | 'followLinks'>
type Tracking = Links & Pick<Services, 'trustedProxies'>

// Programs that people read mail with add parameters.
const BASE = { tag: 'Email', caller: 'none', errors: [], takesAnyQuery: true } as const
const BROKEN = 'A page: nobody here has signed this address.'
const PAGE = { status: 200, schema: z.string(), contentType: 'text/html', missing: BROKEN } as const
/** A transparent picture of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const NOT_KEPT = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const
/**
 * Programs that fetch pictures or follow links without a person: of mail providers and mail filters, by the names that
 * they send. Apple's proxy fetches all pictures of a mail on its arrival, as `Mozilla/5.0` without more. Google's proxy is
 * not among them: it fetches when a person opens the mail. Neither are telephones of the brand Cubot.
 */
const MACHINES =
  /(?<!\bcu)bot\b|^mozilla\/5\.0$|crawler|spider|barracuda|mimecast|proofpoint|safelinks|urldefense|symantec|trendmicro|fireeye|forcepoint|python-|aiohttp|java\/|okhttp|go-http-client|curl\/|wget|headlesschrome|google-safety|bingpreview|slackbot|whatsapp|telegram|facebookexternalhit|skypeuripreview|apache-httpclient|axios\/|node-fetch|undici|libwww-perl|existence discovery|zscaler|sophos|ironport|cloudmark/i
/** They fetch the pictures of a mail when a person opens it, and so no link. */
const PICTURE_PROXIES = /googleimageproxy|yahoomailproxy/i
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

export function addMailLinkRoutes(http: Http, services: Tracking): void {
  addOpenRoute(http, services)
  addClickRoute(http, services)
  addUnsubscribeRoutes(http, services)
  addPreferencesRoutes(http, services)
}

function addOpenRoute(http: Http, { linkTokens, followLinks, trustedProxies }: Tracking): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: '/v1/t/o/:token',
      summary: 'The picture in a mail that reports its opening',
      answer: { status: 200, schema: z.string(), contentType: 'image/gif' },
    },
    async ({ c, params, correlationId }) => {
      const mail = linkTokens.read(params.token?.replace(/\.gif$/, '') ?? '', 'open')
      if (mail !== undefined && !isHead(c)) {
        await recordAnyway(http, followLinks.opened(mail, readFetch(c, trustedProxies)), correlationId)
      }
      return new Response(new Uint8Array(GIF), { headers: { 'content-type': 'image/gif', ...NOT_KEPT } })
    },
  )
}

function addClickRoute(http: Http, { linkTokens, followLinks, trustedProxies }: Tracking): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: '/v1/t/c/:linkToken',
      summary: 'A link in a mail: registers the click and leads on',
      answer: { ...PAGE, status: 302, description: 'Leads to the target.' },
    },
    async ({ c, params, correlationId }) => {
      const link = linkTokens.read(params.linkToken ?? '', 'click')
      if (link?.target == null) return pageResponse(brokenLinkPage(languageOf(c)), 404)
      if (!isHead(c)) {
        await recordAnyway(http, followLinks.clicked(link, link.target, readClick(c, trustedProxies)), correlationId)
      }
      return new Response(null, { status: 302, headers: { location: toLocation(link.target), ...NOT_KEPT } })
    },
  )
}

/** A person reaches the target, and sees the picture, also while nothing can be recorded. */
async function recordAnyway(http: Http, recording: Promise<unknown>, correlationId: string): Promise<void> {
  try {
    await recording
  } catch (error) {
    if (error instanceof ApiError) http.onRefused(error.code)
    else http.onDefect(error, correlationId)
  }
}

function addUnsubscribeRoutes(http: Http, { linkTokens, followLinks }: Links): void {
  const base = { ...BASE, path: '/v1/t/u/:token', answer: PAGE }
  const read = (token: string | undefined) => linkTokens.read(token ?? '', 'unsubscribe')
  addRoute(
    http,
    { ...base, method: 'get', summary: 'Ask whether mails shall end; changes nothing' },
    async ({ c, params }) => {
      const mail = read(params.token)
      if (mail === undefined) return pageResponse(brokenLinkPage(languageOf(c)), 404)
      return pageResponse(subscriptionPage(await followLinks.findSubscription(mail), 'asks', languageOf(c)))
    },
  )
  addRoute(
    http,
    {
      ...base,
      method: 'post',
      summary: 'Turn off mail of a category, also by one click of a mail program (RFC 8058)',
      query: z.object({ again: z.literal('1').optional() }),
    },
    async ({ c, params, query }) => {
      const mail = read(params.token)
      if (mail === undefined) return pageResponse(brokenLinkPage(languageOf(c)), 404)
      const state: PageState = query.again === undefined ? 'off' : 'on'
      const found = await followLinks.changeSubscription(mail, state === 'on')
      return pageResponse(subscriptionPage(found, state, languageOf(c)))
    },
  )
}

function addPreferencesRoutes(http: Http, { linkTokens, followLinks }: Links): void {
  const base = { ...BASE, path: '/v1/t/p/:token', answer: PAGE }
  const read = (token: string | undefined) => linkTokens.read(token ?? '', 'preferences')
  addRoute(
    http,
    { ...base, method: 'get', summary: 'Show which mails the recipient gets; changes nothing' },
    async ({ c, params }) => {
      const mail = read(params.token)
      if (mail === undefined) return pageResponse(brokenLinkPage(languageOf(c)), 404)
      return pageResponse(preferencesPage(await followLinks.listSubscriptions(mail), languageOf(c)))
    },
  )
  addRoute(
    http,
    {
      ...base,
      method: 'post',
      summary: 'Turn mail of a category on or off',
      query: z.object({
        category: z.string().max(256).openapi({ description: 'Empty: messages without one.' }),
        email: z.enum(['on', 'off']),
      }),
    },
    async ({ c, params, query }) => {
      const mail = read(params.token)
      if (mail === undefined) return pageResponse(brokenLinkPage(languageOf(c)), 404)
      const rows = await followLinks.changeOne(mail, query.category, query.email === 'on')
      return pageResponse(preferencesPage(rows, languageOf(c)))
    },
  )
}

/** @returns The target in ASCII, which is all that a header takes. */
function toLocation(target: string): string {
  if (/^[!-~]+$/.test(target)) return target
  return URL.canParse(target) ? new URL(target).href : encodeURI(target)
}

/** The app answers HEAD by the route of GET. */
const isHead = (c: RequestContext) => c.req.raw.method === 'HEAD'
const languageOf = (c: RequestContext) => headerOf(c, 'accept-language')

function readFetch(c: RequestContext, trustedProxies: number): Followed {
  return { automated: isMachine(c), fetchedFrom: networkOf(clientAddress(c, trustedProxies)) }
}

function readClick(c: RequestContext, trustedProxies: number): Followed {
  const fetched = readFetch(c, trustedProxies)
  return { ...fetched, automated: fetched.automated || PICTURE_PROXIES.test(headerOf(c, 'user-agent') ?? '') }
}

function isMachine(c: RequestContext): boolean {
  const agent = headerOf(c, 'user-agent') ?? ''
  return (
    PURPOSES.some((name) => /prefetch|preview/i.test(headerOf(c, name) ?? '')) || agent === '' || MACHINES.test(agent)
  )
}
