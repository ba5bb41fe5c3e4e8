// Writes and reads the file of an export: under a temporary name until complete, line by line, with gzip.

import { once } from 'node:events'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { explainFull, requireNewFile } from '../../lib/folder.ts'
import type { ExportSource } from '../../stores/portable/check-export.ts'

const GZIP_MARK = Buffer.from([0x1f, 0x8b])
/** Lines are passed on in chunks of this many characters. */
const CHUNK_CHARS = 256 * 1024
const GZIP_LEVEL = 3
const READ_BYTES = 256 * 1024
/** A row has a few MiB at most. */
const MAX_LINE_CHARS = 64 * 1024 * 1024

/** Runs `write` with a function that takes lines. @returns The bytes of the file, which gets its name only after success. */
export async function writeExportFile(
  file: string,
  write: (line: (text: string) => Promise<void> | void) => Promise<void>,
): Promise<{ bytes: number }> {
  requireNewFile(file)
  const draft = `${file}.part`
  rmSync(draft, { force: true })
  // The file has messages of users and sealed secrets, so only this account may read it.
  const disk = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
  const sink: Writable = file.endsWith('.gz') ? createGzip({ level: GZIP_LEVEL }) : disk
  if (sink !== disk) sink.pipe(disk)
  const failed = new Promise<never>((_, reject) => {
    for (const stream of new Set([sink, disk])) stream.on('error', reject)
  })
  failed.catch(() => undefined)
  try {
    await Promise.race([failed, writeLines(sink, write)])
    sink.end()
    await Promise.race([failed, finished(disk)])
  } catch (error) {
    sink.destroy()
    disk.destroy()
    // A stream that is still opening would create the file again.
    if (!disk.closed) await new Promise<void>((resolve) => disk.once('close', () => resolve()))
    rmSync(draft, { force: true })
    throw explainFull(error, file)
  }
  renameSync(draft, file)
  return { bytes: statSync(file).size }
}

async function writeLines(sink: Writable, write: Parameters<typeof writeExportFile>[1]): Promise<void> {
  let chunk = ''
  const flush = async () => {
    const text = chunk
    chunk = ''
    if (!sink.write(text)) await once(sink, 'drain')
  }
  await write((line) => {
    chunk += `${line}\n`
    return chunk.length < CHUNK_CHARS ? undefined : flush()
  })
  await flush()
}

/** Throws a text for the operator when there is no such file, or it cannot be read. */
export function openExportFile(file: string): ExportSource {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`)
  const isZipped = startsWith(file, GZIP_MARK)
  return {
    async *lines() {
      const disk = createReadStream(file, { highWaterMark: READ_BYTES })
      const text = isZipped ? disk.pipe(createGunzip()) : disk
      disk.on('error', (error) => text.destroy(error))
      text.setEncoding('utf8')
      try {
        yield* linesOf(text)
      } catch (cause) {
        throw unreadable(file, cause)
      } finally {
        disk.destroy()
      }
    },
  }
}

/** Only a line feed ends a line: other line ends of Unicode may occur inside texts. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  // Joined at the end of the line, so that a long one is not copied for each of its chunks.
  let parts: string[] = []
  let chars = 0
  for await (const chunk of text) {
    const [first = '', ...lines] = chunk.split('\n')
    parts.push(first)
    chars += first.length
    if (chars > MAX_LINE_CHARS) throw new Error(`a line has more than ${MAX_LINE_CHARS} characters.`)
    const last = lines.pop()
    if (last === undefined) continue
    yield parts.join('')
    yield* lines
    parts = [last]
    chars = last.length
  }
  if (chars > 0) yield parts.join('')
}

const unreadable = (file: string, cause: unknown) =>
  new Error(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })

function startsWith(file: string, mark: Buffer): boolean {
  const bytes = Buffer.alloc(mark.length)
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    readSync(descriptor, bytes, 0, mark.length, 0)
  } catch (cause) {
    throw unreadable(file, cause)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
  return bytes.equals(mark)
}
