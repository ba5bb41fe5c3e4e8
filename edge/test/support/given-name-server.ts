// Starts a name server on a UDP port that answers questions for TXT records as the test decides.

import { createSocket } from 'node:dgram'
import { createFindTexts, type FindTexts } from '../../auth/find-texts.ts'

const TXT = 16
/** Codes of RFC 1035. */
const FAILURES = { servfail: 2, refused: 5 } as const
const NO_SUCH_NAME = 3

export interface GivenNameServer {
  /** The texts of each name, in lower case; a name without an entry does not exist, and an empty list has no TXT record. */
  records: Map<string, readonly string[]>
  /** Answers with this failure, or not at all; undefined: as the records say. */
  failure: keyof typeof FAILURES | 'silence' | undefined
  findTexts: FindTexts
  stop(): Promise<void>
}

/** @param timeoutMs For one question. */
export async function givenNameServer(timeoutMs = 2000): Promise<GivenNameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const answer = given.failure === 'silence' ? undefined : answerTo(query)
    if (answer !== undefined) socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))

  function answerTo(query: Buffer): Buffer | undefined {
    const { name, type, end } = readQuestion(query)
    const texts = given.records.get(name)
    const failure = given.failure === undefined || given.failure === 'silence' ? undefined : FAILURES[given.failure]
    const code = failure ?? (texts === undefined ? NO_SUCH_NAME : 0)
    const answers = code === 0 && type === TXT ? (texts ?? []) : []
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, answers.length, 0, 0, 0, 0])
    return Buffer.concat([header, query.subarray(12, end), ...answers.map(toRecord)])
  }

  const given: GivenNameServer = {
    records: new Map(),
    failure: undefined,
    findTexts: createFindTexts({ servers: [`127.0.0.1:${socket.address().port}`], timeoutMs }),
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  return given
}

/** A record that refers to the name in the question, and lives a minute. */
function toRecord(text: string): Buffer {
  const parts = text.match(/[\s\S]{1,255}/g) ?? ['']
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])))
  return Buffer.concat([
    Buffer.from([0xc0, 0x0c, 0, TXT, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]),
    data,
  ])
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
