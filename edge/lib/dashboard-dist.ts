// Locates the built dashboard next to the edge; the relative path is the same from this folder and from the bundle (edge/dist).

import { fileURLToPath } from 'node:url'

export const DASHBOARD_DIST = fileURLToPath(new URL('../../dashboard/dist', import.meta.url))
