// Packs and unpacks the outcomes from the writer thread: most plans as one flat list of values (see plan-codec.ts).

import type { InboxPush, PushedChange, WrittenOutcome } from '../../domain/plan.ts'
import type { Outcome } from '../sql/commit.ts'
import type { Values } from './record-codec.ts'

/** An error is sent as its text; `unavailable`: the store is at fault. */
export type Packed<T> = { value: T } | { message: string; unavailable: boolean }

const AS_IS = 0
const WRITTEN = 1
/** Added to it for what a written plan may also say. */
const FLAGS = { makesRunDue: 2, isNewUser: 4, leavesProfileOut: 8 } as const
const FLAG_NAMES = Object.keys(FLAGS) as (keyof typeof FLAGS)[]

/** @returns The outcomes as one flat list of values, in their order. */
export function packOutcomes(packed: Packed<Outcome>[]): Values {
  const values: Values = []
  for (const one of packed) {
    const written = 'value' in one ? findWritten(one.value) : undefined
    if (written === undefined) {
      values.push(AS_IS, one)
      continue
    }
    values.push(kindOf(written), written.pushes.length)
    for (const push of written.pushes) packPush(values, push)
  }
  return values
}

function findWritten(outcome: Outcome): WrittenOutcome | undefined {
  return 'result' in outcome && outcome.result === 'written' ? outcome : undefined
}

function kindOf(written: WrittenOutcome): number {
  let kind = WRITTEN
  for (const name of FLAG_NAMES) if (written[name] === true) kind += FLAGS[name]
  return kind
}

function toWritten(kind: number, pushes: InboxPush[]): WrittenOutcome {
  const written: WrittenOutcome = { result: 'written', pushes }
  for (const name of FLAG_NAMES) if ((kind & FLAGS[name]) !== 0) written[name] = true
  return written
}

/** @returns The outcomes whose values `packOutcomes` returned. */
export function unpackOutcomes(values: Values): Packed<Outcome>[] {
  const packed: Packed<Outcome>[] = []
  let at = 0
  while (at < values.length) {
    const kind = values[at]
    if (kind === AS_IS) {
      packed.push(values[at + 1] as Packed<Outcome>)
      at += 2
      continue
    }
    const pushes: InboxPush[] = []
    const count = values[at + 1] as number
    at += 2
    while (pushes.length < count) {
      const changes: PushedChange[] = []
      const push = unpackPush(values, at, changes)
      at += PUSH_VALUES + 1
      for (let left = values[at - 1] as number; left > 0; left--, at += CHANGE_VALUES)
        changes.push(unpackChange(values, at))
      pushes.push(push)
    }
    packed.push({ value: toWritten(kind as number, pushes) })
  }
  return packed
}

const PUSH_VALUES = 7
function packPush(values: Values, push: InboxPush): void {
  const { userNo, epoch, from, seq, unread, unopened, changes, reset } = push
  values.push(userNo, epoch, from, seq, unread, unopened, reset, changes.length)
  for (const change of changes)
    values.push(change.seq, change.op, change.messageId, change.op === 'update' ? change.patch : null)
}
function unpackPush(values: Values, at: number, changes: PushedChange[]): InboxPush {
  const push: Record<keyof InboxPush, unknown> = {
    userNo: values[at],
    epoch: values[at + 1],
    from: values[at + 2],
    seq: values[at + 3],
    unread: values[at + 4],
    unopened: values[at + 5],
    changes,
    reset: values[at + 6],
  }
  return push as InboxPush
}

const CHANGE_VALUES = 4
function unpackChange(values: Values, at: number): PushedChange {
  const [seq, op, messageId, patch] = values.slice(at, at + CHANGE_VALUES)
  return (op === 'update' ? { seq, op, messageId, patch } : { seq, op, messageId }) as PushedChange
}
