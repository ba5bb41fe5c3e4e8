// Provides an environment in which a word of a template ends the server: by SIGKILL, or by using up its heap.

/** What ends the server, and the word that does it. */
export const POISONS = { SIGKILL: 'poison kill', heap: 'poison heap' } as const
export type Poison = keyof typeof POISONS

/** A template that evaluates to the word of the event, and ends the server when it is a poison. The server evaluates it itself. */
export const POISONED_TEMPLATE = '{{ event.properties.word }}'

/** Replaces what cleans the texts of messages. */
const PRELOADED = `
  const { replace } = String.prototype
  String.prototype.replace = function (...args) {
    if (this.startsWith('${POISONS.SIGKILL}')) process.kill(process.pid, 'SIGKILL')
    if (this.startsWith('${POISONS.heap}')) {
      for (const kept = []; ; ) kept.push(new Array(100_000).fill(kept.length))
    }
    return replace.apply(this, args)
  }`

/** A heap in which a server starts, and which is soon used up. */
const HEAP_MIB = 160

/** Settings of a server that a poison ends. */
export const POISONED_ENV = {
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} --import data:text/javascript,${encodeURIComponent(PRELOADED)}`,
}
