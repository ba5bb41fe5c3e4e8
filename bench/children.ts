// Processes of clients beside a benchmark: told by messages, and never waited for when they are gone.

import type { ChildProcess } from 'node:child_process'

/** Its next message. Throws when it ends without one. */
export function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit)
      resolve(message as T)
    }
    const onExit = () => {
      child.off('message', onMessage)
      reject(new Error('a process of clients ended'))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) onExit()
  })
}

/** Tells it, and answers what it says next. */
export function ask<T>(child: ChildProcess, message: string | object): Promise<T> {
  const answer = answerOf<T>(child)
  child.send(message)
  return answer
}
