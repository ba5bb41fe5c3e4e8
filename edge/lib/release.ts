// Names the release of this program.

import about from '../package.json' with { type: 'json' }

export const RELEASE: string = about.version
