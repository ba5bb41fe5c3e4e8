// Processor time of a program with all its threads, and what it writes, from the kernel's accounting: what a busy machine disturbs least.

import { readFileSync } from 'node:fs'

const TICK_MICROS = 10_000

/** µs since it began; steps of 10 ms. Linux only. */
export function processorMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS
}

/** Bytes that it gave to disks since it began. Linux only. */
export function writtenBytes(pid: number): number {
  const found = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN)
}
