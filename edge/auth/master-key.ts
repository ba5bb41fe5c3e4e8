// Loads the master keys: from the settings, or one generated into DATA_DIR with mode 0600.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, open, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { explainFull, makeFolder } from '../lib/folder.ts'
import { deriveKey } from '../lib/seal.ts'

const KEY_BYTES = 32
const FILE = 'master.key'
/** The file of SQLite, whose secrets the key has sealed. */
const STORE = 'store.db'

/**
 * @returns The given keys, else those of the file, which is generated if missing from a folder without a store.
 * @throws Error with a text for the operator when the file is damaged, or missing beside a store.
 */
export async function loadMasterKeys(given: Uint8Array[] | null, dataDir: string): Promise<Uint8Array[]> {
  if (given !== null) return given
  await makeFolder(dataDir)
  const path = join(dataDir, FILE)
  const text = await findText(path)
  // Another key would open nothing that the store keeps, and its file would look like the right one.
  if (text === undefined && existsSync(join(dataDir, STORE))) {
    throw new Error(
      `${path} is missing beside an existing store, and MASTER_KEY is not set. Restore the file, or set MASTER_KEY to the key of this store. Nothing was written.`,
    )
  }
  return parseKeys(path, text ?? (await generate(path)))
}

function parseKeys(path: string, text: string): Uint8Array[] {
  const keys = text.split(',').map((part) => new Uint8Array(Buffer.from(part.trim(), 'base64')))
  if (keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error(
      `${path} does not hold ${KEY_BYTES} bytes as base64. Restore it: what it sealed opens with no other.`,
    )
  }
  return keys
}

/**
 * Replaces the key in the generated file. `reseal` gets all keys, the new one first, and must seal every secret again.
 * The file has both keys meanwhile: nothing is lost when the process is killed, and the next call finishes (`resumed`).
 * The caller must hold the lock of the folder, so that no other process has the old file in memory.
 */
export async function rotateMasterKeyFile(
  dataDir: string,
  reseal: (keys: Uint8Array[]) => Promise<number>,
): Promise<{ resealed: number; resumed: boolean }> {
  const path = join(dataDir, FILE)
  const text = await findText(path)
  if (text === undefined)
    throw new Error(`There is no ${path}: the master key comes from MASTER_KEY, or nothing was started here yet.`)
  const found = parseKeys(path, text)
  const resumed = found.length > 1
  const keys = resumed ? found : [new Uint8Array(randomBytes(KEY_BYTES)), ...found]
  if (!resumed) await replace(path, keys)
  const resealed = await reseal(keys)
  await replace(path, keys.slice(0, 1))
  return { resealed, resumed }
}

/** Writes a complete file to disk before it replaces the old one. */
async function replace(path: string, keys: Uint8Array[]): Promise<void> {
  const draft = await writeDraft(path, keys.map((key) => Buffer.from(key).toString('base64')).join(','))
  await rename(draft, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Derives the key that signs widget sessions. Another first master key ends all sessions; their pages sign in again automatically. */
export function deriveSessionKey(masterKeys: readonly Uint8Array[]): Uint8Array {
  return deriveKey(masterKeys[0] as Uint8Array, 'notification-center/widget-session')
}

async function findText(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    await chmod(path, 0o600)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a complete file to disk before it gets its name; never replaces a file that another process created meanwhile. */
async function generate(path: string): Promise<string> {
  const draft = await writeDraft(path, randomBytes(KEY_BYTES).toString('base64'))
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return readFile(path, 'utf8')
}

async function writeDraft(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${text}\n`)
    await file.sync()
  } catch (error) {
    await rm(draft, { force: true })
    throw explainFull(error, path)
  } finally {
    await file.close()
  }
  return draft
}
