// Processor time of a program with all its threads, from the kernel's accounting: what a busy machine disturbs least.

import { readFileSync } from 'node:fs'

const TICK_MICROS = 10_000

/** µs since it began; steps of 10 ms. Linux only. */
export function processorMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS
}
