// What the choices allow at best: bare node:http, JSON.parse, and one row for each event in SQLite, committed in groups by a writer
// thread before the answer. No keys, no campaigns, no inbox, no index. The folder of its file is the first argument.

import { createServer } from 'node:http'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

if (isMainThread) serve()
else await write()

function serve() {
  const writer = new Worker(new URL(import.meta.url), { workerData: process.argv[2] })
  let waiting = []
  let underWay
  const handOver = () => {
    if (underWay !== undefined || waiting.length === 0) return
    underWay = waiting
    waiting = []
    writer.postMessage(underWay.flatMap(({ texts }) => texts))
  }
  writer.on('message', () => {
    const answered = underWay
    underWay = undefined
    for (const { response } of answered) {
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': 2 })
      response.end('{}')
    }
    handOver()
  })
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const texts = (body.events ?? [body]).map((event) => JSON.stringify(event))
      waiting.push({ response, texts })
      // As the edge does: what comes in one turn of the loop is one commit.
      if (waiting.length === 1) setImmediate(handOver)
    })
  })
  server.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
  )
}

async function write() {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(join(workerData, 'limit.db'))
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -196608']) database.pragma(pragma)
  database.exec('CREATE TABLE event (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO event (text) VALUES (?)')
  const insertAll = database.transaction((texts) => {
    for (const text of texts) insert.run(text)
  })
  parentPort.on('message', (texts) => {
    insertAll(texts)
    parentPort.postMessage(texts.length)
  })
}
