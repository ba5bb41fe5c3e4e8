// Repeats calls while a secret rotates, and tells when they were first refused.

import { expect } from 'vitest'
import { runningNow } from './within.ts'

/**
 * Repeats a call until stopped, without pause unless the call makes one.
 * Records every answer, and when its call began (ms that this process ran).
 */
export function callRepeatedly(call: () => Promise<number>) {
  const answers: { status: number; beganAt: number }[] = []
  let isOn = true
  const done = (async () => {
    while (isOn) {
      const beganAt = runningNow()
      answers.push({ status: await call(), beganAt })
    }
  })()
  return {
    answers,
    failures: () => answers.filter(({ status }) => status >= 400).length,
    async stop() {
      isOn = false
      await done
    },
  }
}
export type Caller = ReturnType<typeof callRepeatedly>

/**
 * Returns the time from the end of the old value to the first refusal (ms),
 * and the number of accepted calls more than a second after that end. `endedAt` is of `runningNow`.
 */
export function refusal(caller: Caller, endedAt: number) {
  const first = caller.answers.find(({ status, beganAt }) => status >= 400 && beganAt >= endedAt)
  const late = caller.answers.filter(({ status, beganAt }) => status < 400 && beganAt > endedAt + 1000)
  return { afterMs: first === undefined ? Number.POSITIVE_INFINITY : first.beganAt - endedAt, late: late.length }
}
export const waitForAnswers = (caller: Caller, by: number) => {
  const target = caller.answers.length + by
  return expect.poll(() => caller.answers.length).toBeGreaterThanOrEqual(target)
}
