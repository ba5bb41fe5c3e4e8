// Folders made one by one: Node's own recursive `mkdir` never ends where the system says of a folder that is there that it is not.

import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Makes the folder and those above it, for this account alone. Throws what the system says. */
export async function makeFolder(path: string): Promise<void> {
  for (const folder of pathTo(resolve(path))) {
    try {
      await mkdir(folder, { mode: 0o700 })
    } catch (error) {
      // Of one that is there a system says that it exists, or only that nothing can be made at its place.
      const found = await stat(folder).catch(() => undefined)
      if (found?.isDirectory() !== true) throw error
    }
  }
}

/** The folder behind all that it is in. */
function pathTo(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [...pathTo(above), folder]
}
