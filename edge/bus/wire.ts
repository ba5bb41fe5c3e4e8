// What travels between nodes: one line that says what it is and who sent it, then JSON that was encoded once.

import type { BusTopic, BusTopics } from '../domain/bus.ts'
import { fromText, type PushedFrame } from '../domain/delivery/pushed-frame.ts'

/** Topics that go to all nodes; pushes go where their user is followed. */
const TO_ALL = [
  'pushes-lost',
  'sessions-ended',
  'environment-changed',
  'campaigns-changed',
  'send-rules-changed',
  'enrichers-changed',
] as const
type TopicToAll = (typeof TO_ALL)[number]

type TopicWord = { [T in TopicToAll]: { kind: 'topic'; topic: T; payload: BusTopics[T] } }[TopicToAll]
/** What was heard. */
export type Word = TopicWord | { kind: 'push'; pushed: PushedFrame } | { kind: 'beat' }

export const BEAT = 'B'

export function encodePush(nodeId: string, pushed: PushedFrame): string {
  return `P ${nodeId} ${pushed.userNo} ${pushed.from} ${pushed.seq} ${pushed.reset ? 1 : 0}\n${pushed.text()}`
}

export function encodeTopic<T extends BusTopic>(nodeId: string, topic: T, payload: BusTopics[T]): string {
  return `T ${nodeId} ${topic}\n${JSON.stringify(payload)}`
}

/** Undefined for what this node sent itself, and for what it does not know: a newer node may say more. */
export function decode(nodeId: string, text: string): Word | undefined {
  if (text === BEAT) return { kind: 'beat' }
  const end = text.indexOf('\n')
  const [kind, sender, ...fields] = text.slice(0, end).split(' ')
  if (end === -1 || sender === nodeId) return undefined
  if (kind === 'P') return decodePush(fields, text.slice(end + 1))
  if (kind === 'T') return decodeTopic(fields[0], text.slice(end + 1))
  return undefined
}

function decodePush(fields: string[], text: string): Word | undefined {
  const [userNo = Number.NaN, from = Number.NaN, seq = Number.NaN, reset = Number.NaN] = fields.map(Number)
  if (![userNo, from, seq, reset].every(Number.isSafeInteger)) return undefined
  return { kind: 'push', pushed: fromText({ userNo, from, seq, reset: reset === 1 }, text) }
}

function decodeTopic(name: string | undefined, text: string): Word | undefined {
  const topic = TO_ALL.find((one) => one === name)
  if (topic === undefined) return undefined
  // Sent by `encodeTopic` alone: topic and payload belong together.
  return { kind: 'topic', topic, payload: JSON.parse(text) } as TopicWord
}
