// Declares the marks of work in hand. A process that ends leaves the marks of what it evaluated, and the next start reads them.

import { formatId, type IdKind, parseId } from '../lib/id.ts'
import type { RunKey } from './run/run-wait.ts'

/** The kinds of work that is claimed, and evaluates what customers wrote. */
export type ClaimKind = 'run' | 'job' | 'mail'

/** The kinds of their ids: a mail has that of its message. */
const ID_KINDS = { run: 'run', job: 'job', mail: 'message' } as const satisfies Record<ClaimKind, IdKind>

export interface Mark {
  kind: ClaimKind
  id: number
}

/** What is in hand is found by its environment as well. */
export interface WorkMark extends Mark {
  environmentId: number
}

export interface InHand {
  /** Marks the work until the returned function is called: what is marked already stays so. Costs microseconds, and never throws. */
  begin(marks: WorkMark[]): () => void
}

/** Keeps no marks: for a process whose end nobody attributes, such as a command. */
export const NO_MARKS: InHand = { begin: () => () => {} }

/**
 * Marks the work while this process evaluates it, and no longer: a process that ends at random must not leave a mark. What a
 * sandbox evaluates cannot end this process, so the wait for a promise is not marked.
 */
export function evaluateMarked<T>(inHand: InHand, mark: WorkMark, evaluate: () => T): T {
  const end = inHand.begin([mark])
  try {
    return evaluate()
  } finally {
    end()
  }
}

/** Marks the work while it is read: what is read may be too large for the memory. */
export async function readMarked<T>(inHand: InHand, marks: WorkMark[], read: () => Promise<T>): Promise<T> {
  const end = inHand.begin(marks)
  try {
    return await read()
  } finally {
    end()
  }
}

export const markOfRun = ({ environmentId, runId }: RunKey): WorkMark => ({ kind: 'run', environmentId, id: runId })

/** Marks the work where there is any: a request is nobody's claim. */
export const evaluateFor = <T>(inHand: InHand, mark: WorkMark | undefined, evaluate: () => T): T =>
  mark === undefined ? evaluate() : evaluateMarked(inHand, mark, evaluate)

export const markOfMail = ({ environmentId, messageId }: { environmentId: number; messageId: number }): WorkMark => ({
  kind: 'mail',
  environmentId,
  id: messageId,
})

export const markOfJob = (environmentId: number, id: number): WorkMark => ({ kind: 'job', environmentId, id })

/** @returns The id as people and callers see it. */
export const formatMark = ({ kind, id }: Mark): string => formatId(ID_KINDS[kind], id)

/** @returns The work of this id; undefined when it is no id of a run, job or message. */
export function parseMark(text: string): Mark | undefined {
  for (const kind of Object.keys(ID_KINDS) as ClaimKind[]) {
    const id = parseId(ID_KINDS[kind], text)
    if (id !== undefined) return { kind, id }
  }
  return undefined
}
