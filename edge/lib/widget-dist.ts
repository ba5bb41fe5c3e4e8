// Locates the built widget next to the edge; the relative path is the same from this folder and from the bundle (edge/dist).

import { fileURLToPath } from 'node:url'

export const WIDGET_DIST = fileURLToPath(new URL('../../widget/dist', import.meta.url))
