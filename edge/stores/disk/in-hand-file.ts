// Keeps the marks of work in hand in a file of the data folder: what is written there survives the end of the process.

import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaimKind, InHand, WorkMark } from '../../domain/in-hand.ts'
import type { Log } from '../../lib/log.ts'

const PREFIX = 'in-hand.'
const DIGITS = 16
/** The letter of a kind, and the digits of the environment and of the id. */
const SLOT_BYTES = 1 + 2 * DIGITS
const LETTERS: Record<ClaimKind, string> = { run: 'r', job: 'j', mail: 'm' }
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as ClaimKind]))
/** One write marks so many, in neighbouring slots. */
const SLOTS_TOGETHER = 50

export interface InHandFile extends InHand {
  /** The marks of processes that ended while they evaluated. */
  former: WorkMark[]
  /** Removes the file. */
  close(): void
}

export interface InHandOptions {
  dataDir: string
  /** Other processes may use the folder now: their files are left to them. */
  isShared: boolean
  log: Pick<Log, 'warn'>
}

/**
 * Takes the marks of ended processes out of the folder, and opens a file of this process. The marks are removed before
 * they are counted: a process that is killed in between counts none twice. Without a writable folder nothing is marked.
 */
export function openInHandFile({ dataDir, isShared, log }: InHandOptions): InHandFile {
  try {
    const former = takeFormer(dataDir, isShared)
    const path = join(dataDir, PREFIX + process.pid)
    return { former, ...createMarks(openSync(path, 'w', 0o600), path) }
  } catch (error) {
    log.warn('work in hand not marked', { error })
    return { former: [], begin: () => () => {}, close() {} }
  }
}

function takeFormer(dataDir: string, isShared: boolean): WorkMark[] {
  const files = readdirSync(dataDir).filter((name) => name.startsWith(PREFIX))
  const former = files.filter((name) => !isShared || !isOther(Number(name.slice(PREFIX.length))))
  return former.flatMap((name) => {
    const path = join(dataDir, name)
    const marks = readMarks(readFileSync(path, 'latin1'))
    rmSync(path)
    return marks
  })
}

/** Whether another process has that number. A number that another program got since delays the marks until it ends. */
function isOther(pid: number): boolean {
  if (pid === process.pid || !Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readMarks(text: string): WorkMark[] {
  const marks: WorkMark[] = []
  for (let at = 0; at + SLOT_BYTES <= text.length; at += SLOT_BYTES) {
    const kind = KINDS.get(text[at] ?? '')
    const [environmentId, id] = [0, 1].map((n) => Number(text.slice(at + 1 + n * DIGITS, at + 1 + (n + 1) * DIGITS)))
    if (kind !== undefined && isId(environmentId) && isId(id)) marks.push({ kind, environmentId, id })
  }
  return marks
}

/** Slots are used again. Written without a sync: the system keeps it when the process ends. */
function createMarks(file: number, path: string): Pick<InHandFile, 'begin' | 'close'> {
  const marked = new Set<string>()
  /** Offsets in the file, each of `SLOTS_TOGETHER` slots. */
  const free: number[] = []
  let size = 0
  let isOpen = true

  /** Work must go on without its mark when the disk refuses it. */
  function write(offset: number, text: string): void {
    if (!isOpen) return
    try {
      writeSync(file, text, offset, 'latin1')
    } catch {}
  }

  function begin(texts: string[]): () => void {
    const offset = free.pop() ?? size
    if (offset === size) size += SLOTS_TOGETHER * SLOT_BYTES
    write(offset, texts.join(''))
    for (const text of texts) marked.add(text)
    return () => {
      write(offset, '-'.repeat(texts.length * SLOT_BYTES))
      for (const text of texts) marked.delete(text)
      free.push(offset)
    }
  }

  return {
    begin(marks) {
      const texts = marks.map(toText).filter((text) => !marked.has(text))
      const ends: (() => void)[] = []
      for (let at = 0; at < texts.length; at += SLOTS_TOGETHER) ends.push(begin(texts.slice(at, at + SLOTS_TOGETHER)))
      return () => {
        for (const end of ends) end()
      }
    },
    close() {
      if (!isOpen) return
      isOpen = false
      closeSync(file)
      rmSync(path, { force: true })
    },
  }
}

const isId = (value: number | undefined): value is number => Number.isSafeInteger(value)

const toDigits = (id: number) => String(id).padStart(DIGITS, '0')

const toText = ({ kind, environmentId, id }: WorkMark) => LETTERS[kind] + toDigits(environmentId) + toDigits(id)
