// Counts doubts in memory, and writes the counts every two seconds: a doubt costs its cause nothing that shows.

import type { Core } from '../../domain/core.ts'
import type { CountedDoubt, RecordDoubt } from '../../domain/doubt.ts'

export interface CountDoubts {
  record: RecordDoubt
  /** Resolves when all counts are written. Never rejects: counts that could not be written are lost. */
  settle(): Promise<void>
}

const WRITE_EVERY_MS = 2000
/** Different doubts between two writes: of an environment, of one of its subjects, and in all. Further ones are not counted. */
const MOST = { environment: 200, subject: 20, all: 10_000 }
const MAX_TEXT_CHARS = 300

export function createCountDoubts({ doubts, clock, log }: Pick<Core, 'doubts' | 'clock' | 'log'>): CountDoubts {
  let counted = new Map<string, CountedDoubt>()
  /** How many different doubts there are, by environment and by subject. */
  let sizes = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  /** @returns Whether one more doubt has its place. */
  function hasRoom(environment: string, subject: string): boolean {
    const [ofEnvironment, ofSubject] = [sizes.get(environment) ?? 0, sizes.get(subject) ?? 0]
    if (counted.size >= MOST.all || ofEnvironment >= MOST.environment || ofSubject >= MOST.subject) return false
    sizes.set(environment, ofEnvironment + 1)
    sizes.set(subject, ofSubject + 1)
    return true
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = [...counted.values()]
    counted = new Map()
    sizes = new Map()
    if (taken.length === 0) return
    await doubts.add(taken).catch((error: unknown) => log.warn('doubts not recorded', { error }))
  }

  function settle(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  return {
    record(environmentId, doubt) {
      const { kind, subject, message } = doubt
      const ofSubject = `${environmentId} ${subject.type} ${subject.id}`
      const key = `${ofSubject} ${kind} ${message}`
      const known = counted.get(key)
      const now = clock.now()
      if (known !== undefined) {
        known.count++
        known.lastAt = now
        return
      }
      if (!hasRoom(`${environmentId}`, ofSubject)) return
      const texts = { message: shorten(message), example: doubt.example === null ? null : shorten(doubt.example) }
      counted.set(key, { ...doubt, ...texts, environmentId, count: 1, firstAt: now, lastAt: now })
      timer ??= setTimeout(settle, WRITE_EVERY_MS).unref()
    },
    settle,
  }
}

/** Texts may have parts of what others sent: one line, without what PostgreSQL cannot store. */
function shorten(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}
