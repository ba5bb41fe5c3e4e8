// Where the built widget lies: beside the edge, seen from this folder as from the bundle (edge/dist).

import { fileURLToPath } from 'node:url'

export const WIDGET_DIST = fileURLToPath(new URL('../../widget/dist', import.meta.url))
