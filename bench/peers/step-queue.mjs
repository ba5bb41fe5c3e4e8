// Accepts the same HTTP batch as the edge and creates a BullMQ job for every step, as the baseline of campaign steps.
// The first argument names its Redis. A job only counts: it stores no message and publishes nothing.

import { createServer } from 'node:http'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'

const { hostname: host, port, password } = new URL(process.argv[2])
const connection = { host, port: Number(port), password }
const WINDOW_MS = Number(process.argv[3])
const CONCURRENCY = 100
const options = { removeOnComplete: true, removeOnFail: true }

const queue = new Queue('steps', { connection })
const redis = new Redis(process.argv[2])
const done = { inbox: 0, delay: 0, digest: 0 }

/** One job for each step: the next step is another job. */
const steps = {
  async inbox({ way }) {
    done[way] += 1
  },
  async delay(data) {
    await queue.add('inbox', { ...data, way: 'delay' }, options)
  },
  /** The first event of a user begins the window, which is the usual way to build it on a queue. */
  async gather({ userId, properties }) {
    const count = await redis.rpush(`gathered:${userId}`, JSON.stringify(properties))
    if (count === 1) await queue.add('finish', { userId }, { ...options, delay: WINDOW_MS })
  },
  async finish({ userId }) {
    const key = `gathered:${userId}`
    const [[, events]] = await redis.multi().lrange(key, 0, -1).del(key).exec()
    if (events.length > 0) done.digest += 1
  },
}
const worker = new Worker('steps', (job) => steps[job.name](job.data), { connection, concurrency: CONCURRENCY })
// The benchmark waits for a count that a failed job would never complete, so the process ends.
worker.on('failed', (_job, error) => {
  console.error(error)
  process.exit(1)
})

function toJob({ name, userId, properties }) {
  if (name === 'bench.delayed') {
    const delay = Math.max(0, Date.parse(properties.until) - Date.now())
    return { name: 'delay', data: { userId, properties }, opts: { ...options, delay } }
  }
  if (name === 'bench.gathered') return { name: 'gather', data: { userId, properties }, opts: options }
  return { name: 'inbox', data: { userId, properties, way: 'inbox' }, opts: options }
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    if (request.method === 'POST') await queue.addBulk(JSON.parse(Buffer.concat(chunks).toString()).events.map(toJob))
    const body = JSON.stringify(done)
    response.writeHead(request.method === 'POST' ? 202 : 200, { 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
)
