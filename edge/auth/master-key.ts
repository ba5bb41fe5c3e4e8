// The master keys: from the settings, or one generated into DATA_DIR with mode 0600 (contract section 12, `MASTER_KEY`).

import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { deriveKey } from '../lib/seal.ts'

const KEY_BYTES = 32
const FILE = 'master.key'

/** The given keys, else those of the file, which is made when there is none. Throws a text for the operator when the file is damaged. */
export async function loadMasterKeys(given: Uint8Array[] | null, dataDir: string): Promise<Uint8Array[]> {
  if (given !== null) return given
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, FILE)
  const text = (await findText(path)) ?? (await generate(path))
  const keys = text.split(',').map((part) => new Uint8Array(Buffer.from(part.trim(), 'base64')))
  if (keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error(
      `${path} does not hold ${KEY_BYTES} bytes as base64. Restore it: what it sealed opens with no other.`,
    )
  }
  return keys
}

/** The key that signs widget sessions. Another first master key ends the sessions; their pages sign in anew by themselves. */
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

/** Whole on disk before it has its name, and never over one that another process made meanwhile. */
async function generate(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return readFile(path, 'utf8')
}
