// Exchanges messages with client processes of a benchmark, and fails when one has ended.

import type { ChildProcess } from 'node:child_process'

/** Waits for the next message. @throws when the process ends without one */
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

/** Sends a message. @returns the next answer */
export function ask<T>(child: ChildProcess, message: string | object): Promise<T> {
  const answer = answerOf<T>(child)
  child.send(message)
  return answer
}
