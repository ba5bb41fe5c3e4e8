// Packs and unpacks the outcomes from the writer thread: most plans as one flat list of values (see plan-codec.ts).

import type { InboxPush, PushedChange, TrackOutcome } from '../../domain/plan.ts'
import type { Outcome } from '../sql/commit.ts'
import type { Values } from './record-codec.ts'

/** An error is sent as its text; `unavailable`: the store is at fault. */
export type Packed<T> = { value: T } | { message: string; unavailable: boolean }

const AS_IS = 0
const WRITTEN = 1
const MAKES_RUN_DUE = 2

/** @returns The outcomes as one flat list of values, in their order. */
export function packOutcomes(packed: Packed<Outcome>[]): Values {
  const values: Values = []
  for (const one of packed) {
    const written = 'value' in one ? findWritten(one.value) : undefined
    if (written === undefined) {
      values.push(AS_IS, one)
      continue
    }
    values.push(written.makesRunDue === true ? MAKES_RUN_DUE : WRITTEN, written.pushes.length)
    for (const push of written.pushes) packPush(values, push)
  }
  return values
}

type Written = Extract<TrackOutcome, { result: 'written' }>

function findWritten(outcome: Outcome): Written | undefined {
  return 'result' in outcome && outcome.result === 'written' ? outcome : undefined
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
    packed.push({
      value: kind === MAKES_RUN_DUE ? { result: 'written', pushes, makesRunDue: true } : { result: 'written', pushes },
    })
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
