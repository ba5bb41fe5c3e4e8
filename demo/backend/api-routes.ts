// Serves the demo backend's routes under /demo/api: mints tokens, sends events, reads outcomes, the funnel and the mailbox.

import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { NotificationClient } from '../../sdk/node/index.ts'
import { type DemoFile, ENVIRONMENTS, type EnvironmentName } from './demo-file.ts'
import { createEdgeApi, type EdgeAnswer, type EdgeApi, EdgeRefusal, listAll } from './edge-api.ts'
import { mailDocument } from './mail-document.ts'
import { PEOPLE, WAITLIST } from './people.ts'
import { createExampleSender, parseOrder } from './sign-example.ts'
import { mintToken, STRATEGIES, type Strategy } from './tokens.ts'

export interface ApiRoutesDeps {
  demo: DemoFile
  edgeUrl: string
  /** Address of the edge for platforms. */
  publicUrl: string
  clients: Record<EnvironmentName, NotificationClient>
  /** Whether the request came by a host name of this demo. */
  isOwnHost(request: Request): boolean
  /** Epoch milliseconds. */
  now(): number
}

/** A Hono app; mounted by `server.ts`. */
export function createApiRoutes({ demo, edgeUrl, publicUrl, clients, isOwnHost, now }: ApiRoutesDeps) {
  const edges: Record<EnvironmentName, EdgeApi> = {
    dev: createEdgeApi(edgeUrl, demo.environments.dev, clients.dev),
    prod: createEdgeApi(edgeUrl, demo.environments.prod, clients.prod),
  }
  const app = new Hono()
  app.use('/demo/api/*', async (c, next) => {
    if (!isOwnHost(c.req.raw)) return problem(c, 403, 'The demo answers at this machine and at the host of PUBLIC_URL.')
    return isOwnPage(c) ? next() : problem(c, 403, 'Only the demo page may call this.')
  })
  app.use(
    '/demo/api/*',
    bodyLimit({ maxSize: 4 * 1024 * 1024 + 4096, onError: (c) => problem(c, 413, 'The body is over 4 MiB.') }),
  )
  app.onError((error, c) => {
    if (error instanceof EdgeRefusal) return relay(error.answer)
    return error instanceof TypeError ? problem(c, 400, error.message) : problem(c, 500, 'The demo backend failed.')
  })

  app.get('/demo/api/config', (c) => c.json({ people: PEOPLE, waitlist: WAITLIST, environments: frontKeys(demo) }))
  app.post('/demo/api/token', async (c) => {
    const body = await readBody(c)
    const environment = toEnvironment(body?.environment)
    const strategy = STRATEGIES.find((one) => one === body?.strategy)
    if (environment === undefined || strategy === undefined || typeof body?.userId !== 'string') {
      return problem(c, 400, 'environment, strategy and userId are needed.')
    }
    return c.json(await tokenAnswer(demo, clients[environment], strategy, body.userId, now()))
  })
  const sendExample = createExampleSender({ sources: demo.sources, edge: edges.dev, edgeUrl, publicUrl, now })
  app.post('/demo/api/deliveries', async (c) => {
    const order = parseOrder(await readBody(c))
    if (order === undefined) return problem(c, 400, 'platform and userId are needed.')
    return c.json(await sendExample(order))
  })
  app.post('/demo/api/:environment/track', (c) => withBody(c, edges, (edge, body) => edge.track(body)))
  app.post('/demo/api/:environment/track-batch', (c) =>
    withBody(c, edges, (edge, body) => edge.trackBatch(Array.isArray(body.events) ? body.events : [])),
  )
  app.post('/demo/api/:environment/users/:userId/sign-out', (c) =>
    withEdge(c, edges, (edge) => edge.post(`/v1/users/${encodeURIComponent(c.req.param('userId'))}/sign-out`)),
  )
  app.get('/demo/api/:environment/events/:eventId', (c) =>
    withEdge(c, edges, (edge) => edge.get(`/v1/events/${encodeURIComponent(c.req.param('eventId'))}`)),
  )
  app.get('/demo/api/:environment/campaigns', (c) =>
    withEdge(c, edges, async (edge) => {
      const data = await listAll<object>(edge.get, '/v1/campaigns')
      return { status: 200, correlationId: null, body: { data } }
    }),
  )
  app.get('/demo/api/:environment/campaigns/:id/stats', (c) => {
    const query = new URLSearchParams({
      window: c.req.query('window') ?? 'all',
      channel: c.req.query('channel') ?? 'inbox',
    })
    return withEdge(c, edges, (edge) =>
      edge.get(`/v1/campaigns/${encodeURIComponent(c.req.param('id'))}/stats?${query}`),
    )
  })
  app.get('/demo/api/:environment/mailbox', (c) =>
    withEdge(c, edges, (edge) => edge.get('/v1/email/mailbox?limit=100')),
  )
  app.get('/demo/api/:environment/mailbox/:messageId', (c) =>
    withEdge(c, edges, (edge) => findMail(edge, c.req.param('messageId'))),
  )
  app.get('/demo/api/:environment/mailbox/:messageId/html', async (c) => {
    const environment = toEnvironment(c.req.param('environment'))
    if (environment === undefined) return problem(c, 404, 'No such environment.')
    const answer = await findMail(edges[environment], c.req.param('messageId'))
    return answer.status === 200 ? mailDocument((answer.body as { html: string }).html) : relay(answer)
  })
  return app
}

function findMail(edge: EdgeApi, messageId: string): Promise<EdgeAnswer> {
  return edge.get(`/v1/email/mailbox/${encodeURIComponent(messageId)}`)
}

async function tokenAnswer(
  demo: DemoFile,
  client: NotificationClient,
  strategy: Strategy,
  userId: string,
  nowMs: number,
) {
  const token = await mintToken(demo, client, strategy, userId, nowMs)
  return { userId, token, authType: strategy === 'backendTokenV2' ? 'backendToken' : strategy }
}

function frontKeys(demo: DemoFile): Record<EnvironmentName, { apiKey: string }> {
  return {
    dev: { apiKey: demo.environments.dev.frontApiKey },
    prod: { apiKey: demo.environments.prod.frontApiKey },
  }
}

// The backend mints tokens for any caller, which is only safe for a local demo, so pages of other sites are refused.
function isOwnPage(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  const isJson = c.req.method === 'GET' || c.req.header('content-type')?.startsWith('application/json') === true
  return isJson && (site === undefined || site === 'same-origin' || site === 'none')
}

async function withBody(
  c: Context,
  edges: Record<EnvironmentName, EdgeApi>,
  act: (edge: EdgeApi, body: Record<string, unknown>) => Promise<EdgeAnswer>,
): Promise<Response> {
  const body = await readBody(c)
  if (body === undefined) return problem(c, 400, 'A JSON object is needed.')
  return withEdge(c, edges, (edge) => act(edge, body))
}

async function withEdge(
  c: Context,
  edges: Record<EnvironmentName, EdgeApi>,
  act: (edge: EdgeApi) => Promise<EdgeAnswer>,
): Promise<Response> {
  const environment = toEnvironment(c.req.param('environment'))
  return environment === undefined ? problem(c, 404, 'No such environment.') : relay(await act(edges[environment]))
}

function toEnvironment(value: unknown): EnvironmentName | undefined {
  return ENVIRONMENTS.find((one) => one === value)
}

async function readBody(c: Context): Promise<Record<string, unknown> | undefined> {
  const body: unknown = await c.req.json().catch(() => undefined)
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : undefined
}

function relay(answer: EdgeAnswer): Response {
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  if (answer.correlationId !== null) headers.set('x-correlation-id', answer.correlationId)
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
}

function problem(c: Context, status: 400 | 403 | 404 | 413 | 500, message: string): Response {
  return c.json({ code: 'demo/refused', message }, status)
}
