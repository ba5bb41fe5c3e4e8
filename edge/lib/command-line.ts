// Names the command line as an operator calls it here.

import { existsSync } from 'node:fs'

/** Whether this runs from the archive of a release, which has no scripts of npm. The path is the same from the bundle. */
export const IS_ARCHIVE = !existsSync(new URL('../../tools/nc.mjs', import.meta.url))

export const NC = IS_ARCHIVE ? 'bin/nc' : 'npm run nc --'
