// Serves the addresses in mails: the pixel, the links, and the page for unsubscribing. No session: the token is signed.

import { z } from '@hono/zod-openapi'
import type { LinkKind, LinkTokens } from '../../auth/link-token.ts'
import type { FollowLinks } from '../../flow/mail/follow-links.ts'
import { headerOf, type RequestContext } from '../context.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { linkPage, pageResponse, subscriptionPage } from './link-page.ts'

export interface MailLinksDeps {
  linkTokens: LinkTokens
  followLinks: FollowLinks
}

const BASE = { tag: 'Email', caller: 'none', errors: [] } as const
const PAGE = { status: 200, schema: z.string(), contentType: 'text/html' } as const
/** A transparent picture of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const NOT_KEPT = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const
/**
 * Programs that fetch pictures or follow links without a person: of mail providers and mail filters, by the names that
 * they send. Apple's and Google's picture proxies are not among them: they fetch when a person opens the mail, or send
 * the name of a browser.
 */
const MACHINES =
  /bot\b|crawler|spider|barracuda|mimecast|proofpoint|safelinks|urldefense|symantec|trendmicro|fireeye|forcepoint|python-requests|curl\/|wget|headlesschrome|google-safety|bingpreview|slackbot|whatsapp|skypeuripreview/i

export function addMailLinkRoutes(http: Http, deps: MailLinksDeps): void {
  addOpenRoute(http, deps)
  addClickRoute(http, deps)
  addUnsubscribeRoutes(http, deps)
}

function addOpenRoute(http: Http, { linkTokens, followLinks }: MailLinksDeps): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: '/v1/t/o/:token',
      summary: 'The picture in a mail that reports its opening',
      answer: { status: 200, schema: z.string(), contentType: 'image/gif' },
    },
    async ({ c, params }) => {
      const mail = linkTokens.read(params.token?.replace(/\.gif$/, '') ?? '', 'open')
      if (mail !== undefined && !isHead(c)) await followLinks.opened(mail, isMachine(c))
      return new Response(new Uint8Array(GIF), { headers: { 'content-type': 'image/gif', ...NOT_KEPT } })
    },
  )
}

function addClickRoute(http: Http, { linkTokens, followLinks }: MailLinksDeps): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: '/v1/t/c/:linkToken',
      summary: 'A link in a mail: registers the click and leads on',
      answer: { status: 302, schema: z.string(), contentType: 'text/html', description: 'Leads to the target.' },
    },
    async ({ c, params }) => {
      const link = linkTokens.read(params.linkToken ?? '', 'click')
      if (link?.target == null) return pageResponse(linkPage(), 404)
      if (!isHead(c)) await followLinks.clicked(link, link.target, isMachine(c))
      return new Response(null, { status: 302, headers: { location: link.target, ...NOT_KEPT } })
    },
  )
}

function addUnsubscribeRoutes(http: Http, { linkTokens, followLinks }: MailLinksDeps): void {
  const path = '/v1/t/u/:token'
  const read = (token: string | undefined, kind: LinkKind = 'unsubscribe') => linkTokens.read(token ?? '', kind)
  addRoute(
    http,
    { ...BASE, method: 'get', path, summary: 'Ask whether mails shall end; changes nothing', answer: PAGE },
    async ({ params }) => {
      const mail = read(params.token)
      if (mail === undefined) return pageResponse(linkPage(), 404)
      return pageResponse(subscriptionPage(await followLinks.findSubscription(mail), 'asks'))
    },
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path,
      summary: 'Turn off mail of a category, also by one click of a mail program (RFC 8058)',
      answer: PAGE,
    },
    async ({ params }) => {
      const mail = read(params.token)
      if (mail === undefined) return pageResponse(linkPage(), 404)
      return pageResponse(subscriptionPage(await followLinks.unsubscribe(mail), 'done'))
    },
  )
}

/** The app answers HEAD by the route of GET. */
const isHead = (c: RequestContext) => c.req.raw.method === 'HEAD'

function isMachine(c: RequestContext): boolean {
  const purpose = headerOf(c, 'sec-purpose') ?? headerOf(c, 'purpose') ?? headerOf(c, 'x-moz') ?? ''
  const agent = headerOf(c, 'user-agent') ?? ''
  return /prefetch|preview/i.test(purpose) || agent === '' || MACHINES.test(agent)
}
