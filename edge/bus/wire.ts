// Encodes and decodes the signals between nodes: a line with kind and sender, then JSON that was encoded once.

import type { BusTopic, BusTopics, PushedFrame } from '../domain/bus.ts'
import { fromText } from '../domain/delivery/pushed-frame.ts'

/** Topics that go to all nodes; pushes go to the nodes that follow their user. */
const TO_ALL = [
  'pushes-lost',
  'sessions-ended',
  'environment-changed',
  'campaigns-changed',
  'send-rules-changed',
  'enrichers-changed',
  'mail-integrations-changed',
  'users-online',
  'campaign-edited',
] as const
type TopicToAll = (typeof TO_ALL)[number]

type TopicSignal = { [T in TopicToAll]: { kind: 'topic'; topic: T; payload: BusTopics[T] } }[TopicToAll]
export type Signal = TopicSignal | { kind: 'push'; pushed: PushedFrame } | { kind: 'heartbeat' }

export const HEARTBEAT = 'B'

/** @returns The signal of a push; its frame is encoded once for all nodes. */
export function encodePush(nodeId: string, pushed: PushedFrame): string {
  return `P ${nodeId} ${pushed.userNo} ${pushed.from} ${pushed.seq} ${pushed.reset ? 1 : 0}\n${pushed.text()}`
}

export function encodeTopic<T extends BusTopic>(nodeId: string, topic: T, payload: BusTopics[T]): string {
  return `T ${nodeId} ${topic}\n${JSON.stringify(payload)}`
}

/** @returns The signal; undefined when this node sent it, or when only a newer node knows its kind or topic. */
export function decode(nodeId: string, text: string): Signal | undefined {
  if (text === HEARTBEAT) return { kind: 'heartbeat' }
  const end = text.indexOf('\n')
  const [kind, sender, ...fields] = text.slice(0, end).split(' ')
  if (end === -1 || sender === nodeId) return undefined
  if (kind === 'P') return decodePush(fields, text.slice(end + 1))
  if (kind === 'T') return decodeTopic(fields[0], text.slice(end + 1))
  return undefined
}

function decodePush(fields: string[], text: string): Signal | undefined {
  const [userNo = Number.NaN, from = Number.NaN, seq = Number.NaN, reset = Number.NaN] = fields.map(Number)
  if (![userNo, from, seq, reset].every(Number.isSafeInteger)) return undefined
  return { kind: 'push', pushed: fromText({ userNo, from, seq, reset: reset === 1 }, text) }
}

function decodeTopic(name: string | undefined, text: string): Signal | undefined {
  const topic = TO_ALL.find((one) => one === name)
  if (topic === undefined) return undefined
  // `encodeTopic` alone sends it, so that topic and payload belong together.
  return { kind: 'topic', topic, payload: JSON.parse(text) } as TopicSignal
}
