// A real edge for the browser tests, with a small door beside it for what a customer's backend would do. Ends with its standard input.

import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type GivenEdge, givenEdge } from '../../edge/test/support/given.ts'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import { fillInbox, publishSamples } from '../gallery/sample-inbox.ts'

const edge = await givenEdge({ RATE_LIMITS: 'off' })
await publishSamples(edge)

// Some categories have a name that people read; one has none, and one is critical.
const config = join(edge.dataDir, 'config.json')
const categories = [
  { key: 'orders', name: 'Your orders' },
  { key: 'billing', name: 'Invoices and payments', critical: true },
]
await writeFile(config, JSON.stringify({ name: 'Standard', categories }))
const { id: notificationConfigId } = await givenNc(edge.settings).json<{ id: string }>(
  `config create --org ${edge.demo.organisation.id} --from ${config}`,
)
for (const category of ['orders', 'billing', 'product-news']) {
  await edge.publish({
    notificationConfigId,
    key: `flood-${category}`,
    name: category,
    category,
    trigger: { event: `flood.${category}` },
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: '{{ event.properties.title }}',
        body: '{{ event.properties.body | default: "" }}',
      },
    ],
  })
}

interface Order {
  does: 'users' | 'flood' | 'fill' | 'track' | 'head' | 'page' | 'preferences'
  userId: string
  /** How often, or how many. */
  times?: number
  name?: string
  properties?: Record<string, unknown>
  query?: string
}

let lastUser = 0

/** Users whom nobody else was given, with their tokens: files run against one edge. */
function users(count: number): Record<string, string> {
  const names = Array.from({ length: count }, () => `user-${++lastUser}`)
  const { authSecretKey } = edge.demo.environments.dev
  return Object.fromEntries(
    names.map((userId) => [userId, createHmac('sha256', authSecretKey).update(userId).digest('hex')]),
  )
}

const BATCH = 500
const LINES = ['', 'Ready when you are.', 'Two lines of words, so that rows are not of one height. '.repeat(3)]

/** Very many messages of one category, the last one first in the list. */
async function flood(given: GivenEdge, { userId, times = 1, name = 'orders' }: Order): Promise<void> {
  const { sdkSecretKey } = given.demo.environments.dev
  for (let sent = 0; sent < times; sent += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, times - sent) }, (_, at) => {
      const properties = { title: `Number ${sent + at + 1}`, body: LINES[(sent + at) % LINES.length] }
      return { name: `flood.${name}`, userId, properties }
    })
    const { status, body } = await given.call('POST', '/v1/events/track/batch', {
      key: sdkSecretKey,
      body: { sdkSecretKey, events },
    })
    if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body)}`)
  }
}

async function carryOut(given: GivenEdge, order: Order): Promise<unknown> {
  if (order.does === 'users') return users(order.times ?? 0)
  if (order.does === 'fill') return fillInbox(given, order.userId, order.times)
  if (order.does === 'flood') return flood(given, order)
  if (order.does === 'track') {
    return given.track({ name: order.name, userId: order.userId, properties: order.properties ?? {} })
  }
  const session = await given.signIn(order.userId)
  if (order.does === 'head') return session.inbox
  if (order.does === 'preferences') return (await given.call('GET', '/v1/inbox/preferences', { session })).body
  return given.page(session, order.query)
}

const door = createServer(async (request, response) => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', 'content-type')
  if (request.method === 'OPTIONS') return void response.end()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    const done = await carryOut(edge, JSON.parse(Buffer.concat(chunks).toString()) as Order)
    response.end(JSON.stringify(done ?? null))
  } catch (error) {
    response.statusCode = 500
    response.end(JSON.stringify(String(error)))
  }
})
await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))

const { frontApiKey } = edge.demo.environments.dev
const doorUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
process.stdout.write(`${JSON.stringify({ edgeUrl: edge.url, doorUrl, frontApiKey })}\n`)

process.stdin.resume().on('end', async () => {
  door.close()
  door.closeAllConnections()
  await edge.stop()
  process.exit(0)
})
